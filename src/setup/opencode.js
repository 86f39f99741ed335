// viatty setup opencode: shows a notification when OpenCode has finished a turn, and
// when it waits for you, and tells the terminal its status (OSC 7501): working, blocked,
// done or error. Save this as a plugin:
//
//     mkdir -p ~/.config/opencode/plugins
//     viatty setup opencode > ~/.config/opencode/plugins/viatty.js
//
// Plugins and events: https://opencode.ai/docs/plugins
//
// viatty uses the terminal of OpenCode, or in tmux the pane of TMUX_PANE. What the
// notification says if there is none is in the log of OpenCode. It is shown unless you
// look: terminals with OSC 99 know whether they have the focus, tmux knows which pane has
// it. Only terminals that are known to support it get the status, and without it nothing
// is said: see viatty doctor status.
import { execFile } from "node:child_process"
import { basename } from "node:path"

const texts = {
  done: "finished in",
  error: "failed in",
  blocked: "waits for you in",
}

// OpenCode is done when no session is busy, those of its subagents included.
const busy = new Set()

const statusOf = ({ type, properties }) => {
  const session = properties.sessionID
  if (type === "permission.asked") return ["blocked", "--kind", "permission"]
  if (type === "question.asked") return ["blocked", "--kind", "question"]
  if (/^(permission|question)\.(replied|rejected)$/.test(type)) return ["working"]
  if (type === "session.error") {
    busy.delete(session)
    return [properties.error?.name === "MessageAbortedError" ? "idle" : "error"]
  }
  if (type !== "session.status") return
  if (properties.status.type !== "idle") {
    // a turn has many steps, each of which is busy
    if (busy.has(session)) return
    busy.add(session)
    return ["working"]
  }
  if (busy.delete(session) && busy.size === 0) return ["done"]
}

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
    const words = ["notify", "--when", "unfocused", "--", "OpenCode"]
    execFile("@PATH@", [...words, `${text} ${basename(directory)}`], (error, _, message) => {
      if (error)
        client.app.log({ body: { service: "viatty", level: "error", message: message.trim() } })
    })
  },
})
