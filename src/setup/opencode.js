// viatty setup opencode: shows a notification when OpenCode has finished a turn, and
// when it waits for you. Save this as a plugin:
//
//     mkdir -p ~/.config/opencode/plugins
//     viatty setup opencode > ~/.config/opencode/plugins/viatty.js
//
// Plugins and events: https://opencode.ai/docs/plugins
//
// viatty uses the terminal of OpenCode, or in tmux the pane of TMUX_PANE. What it says
// if there is none is in the log of OpenCode. Terminals with OSC 99 show the
// notification only while they are not focused.
import { execFile } from "node:child_process"
import { basename } from "node:path"

const texts = {
  "session.idle": "finished in",
  "session.error": "failed in",
  "permission.asked": "waits for you in",
}

export const Viatty = async ({ client, directory }) => ({
  event: async ({ event }) => {
    const text = texts[event.type]
    if (!text) return
    const words = ["notify", "--when", "unfocused", "--", "OpenCode"]
    execFile("@PATH@", [...words, `${text} ${basename(directory)}`], (error, _, message) => {
      if (error)
        client.app.log({ body: { service: "viatty", level: "error", message: message.trim() } })
    })
  },
})
