import { messageOf } from '../errors.js'
import { clocksLack } from '../systems/clock/support.js'
import { tryClocks } from '../systems/clock/try-out.js'
import type { Probe } from './probe.js'

/** Changing the clock of a process, tried on a child that does nothing else. */
export const clocks: Probe = async () => {
  const lack = clocksLack() ?? (await tryClocks().then(() => null, messageOf))
  return {
    name: 'clocks of processes',
    present: lack === null,
    detail: lack ?? 'the clock of a child could be changed and set right again',
    blocks: 'clock-skew and clock-rate',
    install: 'run on Linux on x86-64, as root where /proc/sys/kernel/yama/ptrace_scope is 2 or more',
  }
}
