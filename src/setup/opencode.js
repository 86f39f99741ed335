// viatty setup opencode: shows a notification when OpenCode has finished a turn, and
// when it waits for you, and tells the terminal its status (OSC 7501): working, blocked,
// done or error. Save this as a plugin:
//
//     mkdir -p ~/.config/opencode/plugins
//     viatty setup opencode > ~/.config/opencode/plugins/viatty.js
//
// Plugins and events: https://opencode.ai/docs/plugins; compared with 1.18.33
// Leave the notifications of OpenCode itself off, as they are by default: "attention".
//
// viatty uses the terminal of OpenCode, or in tmux the pane of TMUX_PANE. Without either,
// the error is in the log of OpenCode. A notification is shown only while you look
// elsewhere: terminals with OSC 99 know whether they have the focus, and tmux which pane
// has it. The status is sent only to terminals that are known to support it, and without
// an error otherwise: see viatty doctor status.
import { execFile } from "node:child_process"
import { basename } from "node:path"

const texts = {
  done: "finished in",
  error: "failed in",
  blocked: "waits for you in",
}

// OpenCode is done when no session is busy, those of its subagents included.
const busy = new Set()
// It works on when no question is left: several tools may ask at the same time.
const waiting = new Set()

const statusOf = ({ type, properties }) => {
  const session = properties.sessionID
  const [, kind, what] = /^(permission|question)\.(asked|replied|rejected)$/.exec(type) ?? []
  if (what === "asked") {
    waiting.add(properties.id)
    return ["blocked", "--kind", kind]
  }
  if (what) {
    waiting.delete(properties.requestID)
    return waiting.size === 0 ? ["working"] : undefined
  }
  if (type === "session.error") {
    busy.delete(session)
    waiting.clear()
    return [properties.error?.name === "MessageAbortedError" ? "idle" : "error"]
  }
  if (type !== "session.status") return
  if (properties.status.type !== "idle") {
    // a turn has many steps, each of which is busy
    if (busy.has(session)) return
    busy.add(session)
    return ["working"]
  }
  if (busy.delete(session) && busy.size === 0) {
    waiting.clear()
    return ["done"]
  }
}

// What the agent says, or nothing.
const saidBy = ({ permission, patterns, questions, error }) =>
  permission
    ? [permission, ...(patterns ?? [])].join(" ")
    : (questions?.[0]?.question ?? error?.data?.message)

// One after the other: the last report is the one that stays.
let last = Promise.resolve()
const report = (words) => {
  const run = (done) => execFile("@PATH@", ["status", ...words, "--app", "opencode"], () => done())
  last = last.then(() => new Promise(run))
}

export const Viatty = async ({ client, directory }) => ({
  event: async ({ event }) => {
    const status = statusOf(event)
    if (!status) return
    report(status)
    const text = texts[status[0]]
    if (!text) return
    const said = saidBy(event.properties)
    const words = ["notify", "--when", "unfocused", "-"]
    const shown = execFile("@PATH@", words, (failure, _, message) => {
      if (failure)
        client.app.log({ body: { service: "viatty", level: "error", message: message.trim() } })
    })
    // not as arguments, which every user of the machine sees
    shown.stdin.on("error", () => {})
    shown.stdin.end(`OpenCode\n${text} ${basename(directory)}${said ? `: ${said.slice(0, 300)}` : ""}`)
  },
})
