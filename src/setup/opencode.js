// viatty setup opencode: shows a notification when OpenCode has finished a turn, and when
// it waits for you. Save this as a plugin:
//
//     mkdir -p ~/.config/opencode/plugins
//     viatty setup opencode > ~/.config/opencode/plugins/viatty.js
//
// Plugins and events: https://opencode.ai/docs/plugins; compared with 1.18.33
// Leave the notifications of OpenCode itself off, as they are by default: "attention".
import { execFile } from "node:child_process"
import { basename } from "node:path"

// OpenCode is done when no session is busy, those of its subagents included.
const busy = new Set()

// Whether it was said that notifications are probably lost.
let warned = false

const eventText = ({ type, properties: { sessionID, status, error, permission, patterns, questions } }) => {
  if (type === "permission.asked" || type === "question.asked")
    return ["waits for you", questions?.[0]?.question ?? [permission, ...(patterns ?? [])].join(" ")]
  if (type === "session.status" && status.type !== "idle") busy.add(sessionID)
  else if (type === "session.status" && busy.delete(sessionID) && busy.size === 0) return ["finished"]
  if (type !== "session.error") return
  busy.delete(sessionID)
  if (error?.name !== "MessageAbortedError") return ["failed", error?.data?.message]
}

export const Viatty = async ({ client, directory }) => ({
  event: async ({ event }) => {
    const [text, said] = eventText(event) ?? []
    if (!text) return
    const shown = execFile("@PATH@", ["notify", "--when", "unfocused", "-"], (failure, _, message) => {
      const unlikely = failure?.code === 7
      if (!failure || (unlikely && warned)) return
      warned ||= unlikely
      client.app.log({ body: { service: "viatty", level: unlikely ? "warn" : "error", message: message.trim() } })
    })
    // not as arguments, which every user of the machine sees
    shown.stdin.on("error", () => {})
    shown.stdin.end(`OpenCode\n${text} in ${basename(directory)}${said ? `: ${said.slice(0, 300)}` : ""}`)
  },
})
