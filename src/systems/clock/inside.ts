import type { Memory } from './memory.js'
import type { Thread } from './threads.js'

const scannedBytes = 32_768
/** Code and data segment of 64-bit user space, as a signal frame on x86-64 stores them. */
const userCodeSegment = 0x33
const alwaysSetFlag = 0x2

/** Addresses from `start` up to, and without, `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * True when the thread is in one of the ranges, or will return to one from a signal handler: then its code must not be
 * changed under it. The kernel puts the place that a signal interrupted on the stack as rip, flags and segments
 * (`struct sigcontext`), which are looked for above the stack pointer.
 */
export function isInside(thread: Thread, memory: Memory, ranges: readonly Range[]): boolean {
  if (thread.at === null) return true
  const within = (address: number) => ranges.some(({ start, end }) => address >= start && address < end)
  if (within(thread.at.instruction)) return true
  const stack = memory.read(thread.at.stack, scannedBytes)
  for (let at = 0; at + 24 <= stack.length; at += 8) {
    // Both halves as numbers: this is read while the process stands still.
    if (!within(stack.readUInt32LE(at + 4) * 2 ** 32 + stack.readUInt32LE(at))) continue
    const flags = stack.readUInt32LE(at + 8)
    if ((flags & alwaysSetFlag) !== 0 && stack.readUInt16LE(at + 16) === userCodeSegment) return true
  }
  return false
}
