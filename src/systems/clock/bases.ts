import { readFileSync } from 'node:fs'
import type { Bases } from './change.js'

/** Less than this between time since boot and monotonic time is no sleep, but the coarseness of the reading. */
const sleepFromNs = 50_000_000n

/**
 * Where this machine's clocks stand. `slower` says that they are to run slower from here: the wall clock is then rounded
 * up, so that none of them steps back at that moment.
 */
export function basesNow(slower: boolean): Bases {
  const monotonic = process.hrtime.bigint()
  const [uptime = '0'] = readFileSync('/proc/uptime', 'latin1').split(' ')
  const asleep = BigInt(Math.round(Number(uptime) * 1e9)) - monotonic
  return {
    realtime: BigInt(Date.now() + (slower ? 1 : 0)) * 1_000_000n,
    monotonic,
    boottime: monotonic + (asleep > sleepFromNs ? asleep : 0n),
  }
}
