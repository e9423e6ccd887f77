import { execa } from 'execa'
import { SystemError } from '../../errors.js'
import { toolWithinMs } from '../tool-limit.js'

/** Commands for `ip -batch -`, in the machine's own network or in that of a namespace. */
export interface IpBatch {
  readonly run: string
  readonly namespace?: string
  readonly lines: readonly string[]
}

/**
 * Carries the commands out one after the other; ends at the first that fails. Throws SystemError with what `ip` says.
 * The program carries the mark of the run: one that outlives the run is ended with the run's processes.
 */
export async function ip({ run, namespace, lines }: IpBatch): Promise<void> {
  const where = namespace === undefined ? [] : ['-n', namespace]
  const { failed, stderr } = await execa('ip', [...where, '-batch', '-'], {
    input: lines.map((line) => `${line}\n`).join(''),
    env: { NEMESIS_RUN: run },
    reject: false,
    timeout: toolWithinMs,
  })
  if (!failed) return
  throw new SystemError('ip', `ip ${where.join(' ')}: ${stderr.trim().split('\n').join('; ')}`, {
    hint: `the commands were:\n    ${lines.join('\n    ')}`,
  })
}
