import { faults, type FaultName } from '../nemesis/faults/index.js'
import type { FaultCategory } from '../nemesis/fault.js'

/** A fault of the taxonomy, with what it takes to believe in it. */
export interface FaultNote {
  readonly name: FaultName
  readonly category: FaultCategory
  /** Capabilities of the system; a fault without any works by hooks of yours. */
  readonly needs: readonly string[]
  /** True when it ends by itself. */
  readonly oneShot: boolean
  /** What the injector must show. */
  readonly injector: string
  /** What a victim must show. */
  readonly victim: string
}

type Signs = readonly [injector: string, victim: string]

const clientsNotice = 'clients fail or wait more than before'
const hookAnswered = 'the hook came back'
const rule = 'packets or bytes that met the rule'

const signs: Readonly<Record<FaultName, Signs>> = {
  kill: ['running -> exited by SIGKILL', 'its port does not answer, or its clients fail'],
  stop: ['ended by itself within the grace period', 'its port does not answer, or its clients fail'],
  pause: ['running -> paused', 'operations wait, or its CPU time stands still'],
  restart: ['another start time', 'its port did not answer in between, or clients failed'],
  partition: [rule, 'segments sent again, timeouts, resets, or connections without an answer'],
  'asymmetric-partition': [rule, 'the same as for a partition, and traffic goes through the other way'],
  latency: ['packets that were delayed', clientsNotice],
  'packet-loss': ['packets that were dropped, and which share', 'segments sent again'],
  bandwidth: ['bytes that passed at the limit', 'the rate was reached'],
  'disk-full': ['writes refused for want of space', 'clients fail, or the node ends by itself'],
  'power-loss': [
    'exited by SIGKILL, and the bytes that vanished',
    'its port does not answer, or its clients fail',
  ],
  'slow-disk': ['writes and syncs that were delayed', 'an operation waits for most of the delay'],
  'bit-flip': [
    'bits that were flipped',
    'the byte before and after, as the node was given it or as it lies on the disk',
  ],
  'fsync-failure': ['syncs that were made to fail', 'clients fail, or the node ends by itself'],
  corruption: [
    'hash and size of the file before and after',
    'the node refuses to start, ends, or shows a sign of `landing`',
  ],
  'backup-restore-race': [
    'operations acknowledged while the backup was made',
    '`proof` reads something else than before',
  ],
  'clock-skew': ['processes whose clock was changed, read back', 'the node’s own clock has moved'],
  'clock-rate': ['processes whose clock was changed, read back', 'the node’s own clock drifts'],
  'rolling-restart': [
    'another start time of each node, in turn',
    'each port did not answer in between, or clients failed',
  ],
  'split-brain': [rule, 'as for a partition, and a node on the other side leads'],
  'slow-follower': ['pauses, used-up CPU time, or delayed packets', 'its lag grows, or clients wait'],
  'mixed-version': [hookAnswered, 'the node reports another version, and not all report the same'],
  'rolling-upgrade': [hookAnswered, 'no node reports the old version'],
  'config-divergence': [hookAnswered, 'the node reports another configuration, and not all report the same'],
  'credential-divergence': [hookAnswered, 'a link of the node is refused, or refused logins grow'],
  compaction: [hookAnswered, 'the reported progress changed'],
  reconfiguration: [hookAnswered, 'the system lists another number of members'],
}

/** Every fault, in the order of the taxonomy. */
export const faultNotes: readonly FaultNote[] = (Object.keys(signs) as FaultName[]).map((name) => {
  const { category, needs, oneShot = false } = faults[name]
  const [injector, victim] = signs[name]
  return { name, category, needs, oneShot, injector, victim }
})
