import { readFile } from 'node:fs/promises'
import { release } from 'node:os'
import type { Probe } from './probe.js'

/** Signals and process groups; Windows has neither. */
export const platform: Probe = async () => ({
  name: 'platform',
  present: process.platform !== 'win32',
  detail: `${process.platform} ${process.arch}, kernel ${release()}`,
  blocks: 'processes(): kill, stop and pause need POSIX signals and process groups',
  install: process.platform === 'win32' ? 'run the tests on Linux, macOS or in WSL 2' : null,
})

/** `/proc`: which process is which, how much it has computed, what its sockets say. */
export const proc: Probe = async () => {
  const found = await readFile('/proc/self/stat', 'utf8').then(
    () => true,
    // Not Linux, or hidden from us: either way it cannot be used.
    () => false,
  )
  return {
    name: '/proc',
    present: found,
    detail: found ? 'readable' : 'not readable',
    blocks: 'evidence of a pause from CPU time, and undo by process start time',
    install: found ? null : 'run on Linux, with /proc mounted',
  }
}

/** Who we are. */
export const root: Probe = async () => {
  const uid = process.getuid?.()
  return {
    name: 'root',
    present: uid === 0,
    detail: uid === undefined ? 'no user ids on this platform' : `uid ${uid}`,
    blocks: 'entering the network namespaces of containers from the host; a helper container does it instead',
    install: uid === 0 ? null : 'run the tests as root, or let the helper container do it',
  }
}
