import { resolve } from 'node:path'
import { Command } from 'commander'
import { SessionError } from '../errors.js'
import { count } from '../findings/render/words.js'
import { writeReport } from '../findings/report.js'
import { displayPath } from '../session/display-path.js'
import { sessionLayout } from '../session/layout.js'
import { readSession } from '../session/session.js'

/** `nemesis report SESSION`: renders the report again from what the session recorded. */
export function reportCommand(): Command {
  return new Command('report')
    .description('re-render the report from the recorded session')
    .argument('<session>', 'the session directory, such as test-sessions/<slug>/<time>')
    .action(async (session: string) => {
      const directory = resolve(session)
      const { info } = await readSession(directory)
      if (info === null) {
        throw new SessionError(
          'no-info',
          `${session} does not say when and how it was run: artifacts/session.json is missing`,
          {
            hint: 'run the scenarios again',
          },
        )
      }
      const { verdict, scenarios } = await writeReport(directory, info)
      const file = displayPath(sessionLayout(directory).reportMarkdown)
      process.stdout.write(`${verdict}, ${count(scenarios.length, 'scenario')}: ${file}\n`)
    })
}
