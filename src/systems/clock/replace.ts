import { setTimeout as sleep } from 'node:timers/promises'
import { EnvironmentError, FaultError } from '../../errors.js'
import type { Bases } from './change.js'
import { isInside, type Range } from './inside.js'
import { withMemory } from './memory.js'
import { processTree } from './process-tree.js'
import type { Replacement, Span } from './replacement.js'
import { standstill } from './standstill.js'
import { taggedProcesses } from './tagged.js'
import { threadsOf } from './threads.js'
import { ownVdso, vdsoAddress } from './vdso.js'

const attempts = 500
const retryMs = 3

/** What is needed to take a changed clock back. */
export type Originals = Pick<Replacement, 'tag' | 'originalTag' | 'originals'>

/**
 * Changes the clock functions of a process and of all below it, all of them while none runs. Returns the processes.
 *
 * Throws FaultError when their clock has been changed before, and EnvironmentError when it cannot be.
 */
export async function replaceBelow(
  root: number,
  replacement: Replacement,
  basesNow: () => Bases,
): Promise<readonly number[]> {
  return whileStopped({ list: () => processTree(root), always: false }, (places) => {
    if (!places.some(({ pid }) => pid === root)) {
      throw new EnvironmentError(
        'a 64-bit vDSO',
        `process ${root} has none: it has ended, or is no x86-64 program`,
        'see the log of the node, and run a 64-bit build of it',
      )
    }
    places.forEach(assertOriginal)
    if (anyInside(places, headsOf(replacement))) return null
    const { body, entries } = replacement.from(basesNow())
    for (const place of places) writeAll(place, [replacement.tag, ...body, ...entries])
    return places.map(({ pid }) => pid)
  })
}

/**
 * Gives every process of the machine that carries the tag its original code back. Returns how many those were. The new
 * code goes when the last thread has left it, which no thread enters any more.
 */
export async function restoreTagged(
  { tag, originalTag, originals }: Originals,
  { always = false } = {},
): Promise<number> {
  const restored = new Set<number>()
  const list = () => taggedProcesses(tag)
  const code = originals.body.map(rangeOf)
  while (list().length > 0) {
    await whileStopped({ list, always }, (places) => {
      if (anyInside(places, headsOf({ originals }))) return null
      for (const place of places) writeAll(place, originals.entries)
      if (anyInside(places, code)) return null
      for (const place of places) {
        writeAll(place, [...originals.body, originalTag])
        restored.add(place.pid)
      }
      return true
    })
  }
  return restored.size
}

interface Place {
  readonly pid: number
  /** Where its vDSO is. */
  readonly address: number
}

/**
 * Stops what `list` names, again until it names nothing new as a process may fork before it is stopped, and acts on it.
 * When that gives null because a thread is in the way, lets all go on for a moment and tries again.
 */
async function whileStopped<T>(
  { list, always }: { list: () => readonly number[]; always: boolean },
  act: (places: readonly Place[]) => T | null,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const still = standstill({ always })
    try {
      const done = act(await stopAll(list, still.stop))
      if (done !== null) return done
    } finally {
      still.release()
    }
    await sleep(Math.random() * retryMs)
  }
  throw new FaultError('clock', `a thread was in the code to be changed at each of ${attempts} looks`, {
    hint: 'the program reads its clock without pause; try again under less load',
  })
}

async function stopAll(
  list: () => readonly number[],
  stop: (pid: number) => Promise<boolean>,
): Promise<readonly Place[]> {
  const looked = new Set<number>()
  const places: Place[] = []
  for (;;) {
    const fresh = list().filter((pid) => !looked.has(pid))
    if (fresh.length === 0) return places
    for (const pid of fresh) {
      looked.add(pid)
      const address = (await stop(pid)) ? vdsoAddress(pid) : null
      if (address !== null) places.push({ pid, address })
    }
  }
}

/** Where a thread may be after the first and before the last instruction that a jump overwrites. */
function headsOf({ originals }: Pick<Replacement, 'originals'>): readonly Range[] {
  return originals.entries.map(({ offset, bytes }) => ({ start: offset + 1, end: offset + bytes.length }))
}

function rangeOf({ offset, bytes }: Span): Range {
  return { start: offset, end: offset + bytes.length }
}

/** True when a thread of one of the processes is in one of the ranges of its vDSO. */
function anyInside(places: readonly Place[], ranges: readonly Range[]): boolean {
  return places.some(({ pid, address }) => {
    const there = ranges.map(({ start, end }) => ({ start: address + start, end: address + end }))
    return unlessEnded(pid, false, () =>
      withMemory(pid, 'r', (memory) => threadsOf(pid).some((thread) => isInside(thread, memory, there))),
    )
  })
}

function assertOriginal({ pid, address }: Place): void {
  const { image } = ownVdso()
  const same = () => withMemory(pid, 'r', (memory) => memory.read(address, image.length)).equals(image)
  if (unlessEnded(pid, true, same) || threadsOf(pid).length === 0) return
  throw new FaultError('clock', `the clock functions of process ${pid} are not the kernel's own`, {
    hint: 'an earlier run may have left them changed: npx nemesis heal; clock faults on the same node must not overlap',
  })
}

function writeAll({ pid, address }: Place, spans: readonly Span[]): void {
  unlessEnded(pid, undefined, () =>
    withMemory(pid, 'r+', (memory) => {
      for (const { offset, bytes } of spans) memory.write(address + offset, bytes)
    }),
  )
}

/** A stopped process may still be killed by somebody else, and then has no clock any more. */
function unlessEnded<T>(pid: number, ended: T, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (threadsOf(pid).length === 0) return ended
    throw error
  }
}
