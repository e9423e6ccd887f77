import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { EnvironmentError, FaultError, messageOf } from '../../errors.js'

/** The memory of another process. Calls are synchronous, as the process stands still for as long as they take. */
export interface Memory {
  /** Up to so many bytes; fewer where the mapping ends, and none where nothing is mapped. */
  read(address: number, length: number): Buffer
  /** Writes through write protection, into a copy that the process then has for itself, and reads back. */
  write(address: number, bytes: Buffer): void
}

/** Opens the memory of a process for the length of `use`. Throws EnvironmentError when the kernel does not allow it. */
export function withMemory<T>(pid: number, mode: 'r' | 'r+', use: (memory: Memory) => T): T {
  const file = openMemory(pid, mode)
  try {
    return use({
      read(address, length) {
        const bytes = Buffer.alloc(length)
        try {
          // A position beyond 2^53 cannot occur: addresses of user space have 47 bits.
          return bytes.subarray(0, readSync(file, bytes, 0, length, address))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error
          return bytes.subarray(0, 0)
        }
      },
      write(address, bytes) {
        try {
          // A position given as a BigInt would be ignored by writeSync.
          writeSync(file, bytes, 0, bytes.length, address)
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error
          throw new EnvironmentError(
            'writing to the code of a process',
            `the kernel does not let the code of process ${pid} be changed: ${messageOf(error)}`,
            'boot with proc_mem.force_override=always, or use another machine',
          )
        }
        const back = Buffer.alloc(bytes.length)
        readSync(file, back, 0, back.length, address)
        if (!back.equals(bytes)) {
          throw new FaultError('clock', `what was written to the memory of process ${pid} is not there`)
        }
      },
    })
  } finally {
    closeSync(file)
  }
}

function openMemory(pid: number, mode: 'r' | 'r+'): number {
  try {
    return openSync(`/proc/${pid}/mem`, mode)
  } catch (error) {
    throw explained(error, pid)
  }
}

/** An error that means that this user may not look at the process, as EnvironmentError that says so; others as they are. */
export function explained(error: unknown, pid: number): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EACCES' && code !== 'EPERM') return error
  return new EnvironmentError(
    'permission to change the memory of the process',
    `this user may not change the memory of process ${pid}: ${messageOf(error)}`,
    'run the tests as root; without it only own processes can be changed, and where /proc/sys/kernel/yama/ptrace_scope is 1 only own children',
  )
}
