import { execa } from 'execa'
import { FaultError } from '../../../errors.js'
import { findInPath } from './missing.js'

const timeoutMs = 30_000

/**
 * Runs a program to its end; what it printed. With the mark of `run` it is ended with the run, if that dies. Throws
 * FaultError with what it said when it fails.
 */
export async function command(
  program: string,
  args: readonly string[],
  { run }: { readonly run?: string } = {},
): Promise<string> {
  const file = (await findInPath(program)) ?? program
  const { failed, all, shortMessage } = await execa(file, args, {
    reject: false,
    all: true,
    stdin: 'ignore',
    timeout: timeoutMs,
    ...(run === undefined ? {} : { env: { NEMESIS_RUN: run } }),
  })
  if (!failed) return all?.trim() ?? ''
  throw new FaultError('command', `${program} ${args.join(' ')}: ${all?.trim() || shortMessage}`)
}
