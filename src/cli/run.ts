import { Command, CommanderError } from 'commander'
import { NemesisError } from '../errors.js'
import { ownVersion } from '../environment/own-package.js'

const usageOrInput = 2

/**
 * Runs a command line and resolves to its exit code: 0 done, 1 violation, 2 usage or unreadable input, 3 inconclusive.
 *
 * Every error becomes one line on stderr that says what to do; a stack is shown only with NEMESIS_DEBUG=1.
 */
export async function run(
  commands: readonly Command[],
  argv: readonly string[],
  write: (text: string) => void = (text) => process.stderr.write(text),
): Promise<number> {
  const program = new Command('nemesis')
    .description('falsify what your distributed system claims')
    .version(ownVersion())
    .showHelpAfterError(false)
  for (const command of commands) program.addCommand(command)
  quietly(program, write)
  try {
    process.exitCode = 0
    await program.parseAsync(argv, { from: 'user' })
    return process.exitCode
  } catch (error) {
    // Commander has written help or its own message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageOrInput
    write(`nemesis: ${inOneLine(error)}\n`)
    if (process.env['NEMESIS_DEBUG'] === '1' && error instanceof Error) write(`${error.stack}\n`)
    return usageOrInput
  }
}

/** Lets a command and those below it throw instead of ending the process, and say what is wrong in one line. */
function quietly(command: Command, write: (text: string) => void): void {
  command.exitOverride().configureOutput({
    outputError: (text) =>
      write(
        `nemesis: ${text
          .trim()
          .replace(/^error: /, '')
          .replaceAll(/\s*\n\s*/g, ' ')}\n`,
      ),
  })
  for (const below of command.commands) quietly(below, write)
}

function inOneLine(error: unknown): string {
  const [message, hint] =
    error instanceof NemesisError
      ? [error.summary, error.hint]
      : [String(error), 'this was not expected; NEMESIS_DEBUG=1 shows where it happened']
  return [message, hint]
    .filter((part) => part !== undefined)
    .join(' -> ')
    .replaceAll(/\s*\n\s*/g, ' / ')
}
