// The same as drawing.py with node-pty and a headless xterm, which replies as it does in agents:
// drawing.js MODULES RECORD COMMAND...

"use strict";

const fs = require("fs");
const { ReadStream } = require("tty");
const [modules, record, command, ...words] = process.argv.slice(2);
const pty = require(`${modules}/@lydell/node-pty`);
const { Terminal } = require(`${modules}/@xterm/headless`);

const own = new ReadStream(fs.openSync("/dev/tty", "r+"));
own.setRawMode(true);
fs.writeFileSync(record, "");
const screen = new Terminal({ cols: 80, rows: 24, allowProposedApi: true });
const job = pty.spawn(command, words, { cols: 80, rows: 24, name: "xterm-256color" });
screen.onData((reply) => job.write(reply));
job.onData((text) => {
    fs.appendFileSync(record, text);
    screen.write(text);
});
job.onExit(({ exitCode }) => {
    screen.write("", () => {
        for (let row = 0; row < screen.buffer.active.length; row++) {
            const line = screen.buffer.active.getLine(row).translateToString(true);
            if (line)
                process.stdout.write(`${line}\r\n`);
        }
        own.setRawMode(false);
        process.exitCode = exitCode;
        own.destroy();
    });
});
