import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { execa } from 'execa'
import { toolWithinMs } from '../tool-limit.js'
import { CommandFailed, splitLines, type NamespaceExec } from './exec.js'

/** Enters the namespaces of a run that `target` gives the options of `nsenter` for. */
export function nsenter({
  run,
  target,
}: {
  run: string
  target: (id: string) => Promise<readonly string[]>
}): NamespaceExec {
  // By which everything of a run is found: what outlives it must not put a rule in after its undo.
  const marked = { NEMESIS_RUN: run }
  const runIn = async (id: string, argv: readonly string[], stdin = ''): Promise<string> => {
    const { failed, timedOut, exitCode, stdout, stderr } = await execa(
      'nsenter',
      [...(await target(id)), ...argv],
      {
        input: stdin,
        env: marked,
        timeout: toolWithinMs,
        reject: false,
        stripFinalNewline: false,
      },
    )
    if (timedOut) throw new CommandFailed(argv, `was not done within ${toolWithinMs / 1_000} s`, stderr)
    if (failed) throw new CommandFailed(argv, `exited with ${exitCode ?? 'no code'}`, stderr)
    return stdout
  }
  return {
    mechanism: 'nsenter',
    run: runIn,
    readNet: (id, file) => runIn(id, ['cat', `/proc/net/${file}`]),
    async start(id, file, args) {
      const child = spawn('nsenter', [...(await target(id)), file, ...args], {
        env: { ...process.env, ...marked },
      })
      const exited = Promise.all([
        text(child.stderr),
        new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve())),
      ]).then(([stderr]) => stderr)
      // A program that has ended does not take input any more; `exited` tells.
      child.stdin.on('error', () => {})
      return {
        write: (line) => void child.stdin.write(line),
        onLine: (listener) => void child.stdout.on('data', splitLines(listener)),
        end: () => void child.stdin.end(),
        exited,
      }
    },
    close: async () => {},
  }
}
