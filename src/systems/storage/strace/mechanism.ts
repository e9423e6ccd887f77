import { FaultError } from '../../../errors.js'
import { diskFor } from '../disk-for.js'
import type { StorageMechanism } from '../mechanism.js'
import { injectionFor } from './injection.js'
import { straceMissing } from './missing.js'
import { straceRule, type StraceOptions } from './rule.js'

/**
 * Disturbs the files of a running node by its system calls: strace(1) makes them fail or wait. Needs no preparation and
 * meets any program, at the price of slowing every system call of it down. Reads and writes through memory that is
 * mapped to a file (mmap), and by io_uring, are not met.
 */
export async function straceMechanism(options: StraceOptions): Promise<StorageMechanism> {
  const missing = await straceMissing()
  return {
    name: 'strace injection',
    lacks: (kind) => (kind === 'flip' || kind === 'power-loss' ? diskFor(kind) : missing),
    async disturb(place, disturbance) {
      const injection = injectionFor(disturbance)
      if (injection === null) throw new FaultError('strace', `strace cannot make '${disturbance.kind}'`)
      return straceRule(place, injection, options)
    },
  }
}
