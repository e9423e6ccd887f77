import { EnvironmentError, SystemError } from '../../errors.js'
import { logTail } from './log-tail.js'
import type { Ending, NodeCommand } from './node-command.js'

/** The error for a node that has ended right after its start: how, and its last words in the log from `logStart` on. */
export async function endedAtOnce(node: NodeCommand, ending: Ending, logStart: number): Promise<SystemError> {
  const how = ending.signal === null ? `exit code ${ending.exitCode}` : `signal ${ending.signal}`
  const lines = await logTail(node.logFile, logStart, 10)
  const log = lines.length === 0 ? 'it logged nothing' : `its last log lines:\n    ${lines.join('\n    ')}`
  return new SystemError('node-ended', `node ${node.name} ended at once with ${how}; ${log}`, {
    hint: `the command was: ${node.command.join(' ')}; it must stay in the foreground. Full log: ${node.logFile}`,
  })
}

/** The error for a node whose program the kernel would not run. */
export function notSpawned(
  node: NodeCommand,
  result: { readonly code?: string | undefined; readonly message?: string | undefined },
): Error {
  const [file] = node.command
  if (result.code === 'ENOENT' || result.code === 'EACCES') {
    return new EnvironmentError(
      String(file),
      `node ${node.name} cannot be started: ${file} is not an executable file (${result.code}, in ${node.cwd})`,
      `install ${file}, or correct \`command\` or \`cwd\` of processes()`,
    )
  }
  return new SystemError(
    'spawn',
    `node ${node.name} cannot be started: ${result.message ?? 'unknown reason'}`,
    {
      hint: `the command was: ${node.command.join(' ')}`,
    },
  )
}
