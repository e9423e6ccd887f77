import { hostname } from 'node:os'
import { Command } from 'commander'
import { heal, type HealReport } from '../nemesis/undo/heal.js'

/** `nemesis heal`: undoes what killed runs left behind. Exit code 0 when nothing is left, 1 when something could not be undone. */
export function healCommand(): Command {
  return new Command('heal')
    .description('undo every fault that a killed run left behind')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: true }) => {
      const report = await heal()
      process.stdout.write(
        json
          ? `${JSON.stringify(report)}\n`
          : healLines(report)
              .map((line) => `${line}\n`)
              .join(''),
      )
      if (report.entries.some((entry) => !entry.undone)) process.exitCode = 1
    })
}

/** The report for people, one line each. */
export function healLines({ entries, live }: HealReport): readonly string[] {
  const lines = [
    ...entries.map(({ undone, detail }) => (undone ? detail : `NOT UNDONE ${detail}`)),
    ...live.map(({ run, pid, host }) =>
      host === hostname()
        ? `run ${run} is still alive (pid ${pid}): left alone`
        : `run ${run} is one of ${host} (pid ${pid}): left alone, heal it there`,
    ),
  ]
  return lines.length === 0 ? ['nothing was left behind'] : lines
}
