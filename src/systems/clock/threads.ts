import { readdirSync, readFileSync } from 'node:fs'
import { isGone } from './vdso.js'

/** What the kernel says about a thread at one moment. */
export interface Thread {
  readonly id: number
  /** One letter of proc(5): `R` runs, `T` stopped, `t` held by a tracer, `S` and `D` wait. */
  readonly state: string
  /** Where it is in user space: stack and instruction pointer. Null while it runs. */
  readonly at: { readonly stack: number; readonly instruction: number } | null
}

/** The living threads of a process; none when it has ended. */
export function threadsOf(pid: number): readonly Thread[] {
  return namesIn(`/proc/${pid}/task`).flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${name}/stat`, 'latin1')
      const state = stat.charAt(stat.lastIndexOf(')') + 2)
      // The first thread of a process may have ended while others go on.
      if (state === 'Z' || state === 'X') return []
      const at = placeOf(readFileSync(`/proc/${pid}/task/${name}/syscall`, 'latin1'))
      return [{ id: Number(name), state, at }]
    } catch (error) {
      if (isGone(error)) return []
      throw error
    }
  })
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

/** `running`, or a line that ends with the stack pointer and the instruction pointer (proc(5), `/proc/pid/syscall`). */
function placeOf(line: string): Thread['at'] {
  const [stack, instruction] = line.trim().split(' ').slice(-2)
  return stack === undefined || instruction === undefined
    ? null
    : { stack: Number(stack), instruction: Number(instruction) }
}

/** True when every thread is stopped by a signal. */
export function allStopped(threads: readonly Thread[]): boolean {
  return threads.every(({ state }) => state === 'T')
}

/**
 * True when no thread runs although not every one is stopped by a signal: some are held by a tracer or wait in the kernel
 * for what a signal does not interrupt, or the whole process is frozen. Only when they look the same a moment later as
 * well do they stand still.
 */
export function allHeld(threads: readonly Thread[], frozen: boolean): boolean {
  if (threads.some(({ state, at }) => state === 'R' || at === null)) return false
  return frozen || threads.some(({ state }) => state === 'T' || state === 't')
}
