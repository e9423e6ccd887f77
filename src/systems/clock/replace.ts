import { setTimeout as sleep } from 'node:timers/promises'
import { EnvironmentError, FaultError } from '../../errors.js'
import type { Bases } from './change.js'
import { isInside } from './inside.js'
import { withMemory } from './memory.js'
import { processTree } from './process-tree.js'
import type { PlannedReplacement, Span } from './replacement.js'
import { standstill } from './standstill.js'
import { taggedProcesses } from './tagged.js'
import { threadsOf } from './threads.js'
import { ownVdso, vdsoAddress } from './vdso.js'

const attempts = 300
const retryMs = 3

/**
 * Changes the clock functions of a process and of all below it, all of them while none runs. Returns the processes.
 *
 * Throws FaultError when their clock has been changed before, and EnvironmentError when it cannot be.
 */
export async function replaceBelow(
  root: number,
  planned: PlannedReplacement,
  basesNow: () => Bases,
): Promise<readonly number[]> {
  return whileNobodyIsInside({ list: () => processTree(root), always: false }, (places) => {
    const main = places.find(({ pid }) => pid === root)
    if (main === undefined) {
      throw new EnvironmentError(
        'a 64-bit vDSO',
        `process ${root} has none: it has ended, or is no x86-64 program`,
        'see the log of the node, and run a 64-bit build of it',
      )
    }
    for (const { pid, address } of places) assertOriginal(pid, address)
    const { written } = planned.at(basesNow())
    for (const { pid, address } of places) writeAll(pid, address, written)
    return places.map(({ pid }) => pid)
  })
}

/** Gives every process of the machine that carries the tag its original code back. Returns how many those were. */
export async function restoreTagged(
  { tag, originals }: Pick<PlannedReplacement, 'tag' | 'originals'>,
  { always = false } = {},
): Promise<number> {
  const restored = new Set<number>()
  for (;;) {
    const list = () => taggedProcesses(tag)
    if ((await list()).length === 0) return restored.size
    await whileNobodyIsInside({ list, always }, (places) => {
      for (const { pid, address } of places) {
        writeAll(pid, address, originals.toReversed())
        restored.add(pid)
      }
    })
  }
}

interface Place {
  readonly pid: number
  /** Where its vDSO is. */
  readonly address: number
}

/**
 * Stops what `list` names, again until it names nothing new as a process may fork before it is stopped, and acts when
 * no thread is in its vDSO. Else lets all go on for a moment and tries again.
 */
async function whileNobodyIsInside<T>(
  { list, always }: { list: () => Promise<readonly number[]>; always: boolean },
  act: (places: readonly Place[]) => T,
): Promise<T> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const still = standstill({ always })
    try {
      const places = await stopAll(list, still.stop)
      if (!places.some(anyInside)) return act(places)
    } finally {
      still.release()
    }
    await sleep(Math.random() * retryMs)
  }
  throw new FaultError('clock', `a thread was in its clock functions at each of ${attempts} looks`, {
    hint: 'the program reads its clock without pause; try again under less load',
  })
}

async function stopAll(
  list: () => Promise<readonly number[]>,
  stop: (pid: number) => Promise<boolean>,
): Promise<readonly Place[]> {
  const looked = new Set<number>()
  const places: Place[] = []
  for (;;) {
    const fresh = (await list()).filter((pid) => !looked.has(pid))
    if (fresh.length === 0) return places
    for (const pid of fresh) {
      looked.add(pid)
      const address = (await stop(pid)) ? vdsoAddress(pid) : null
      if (address !== null) places.push({ pid, address })
    }
  }
}

function anyInside({ pid, address }: Place): boolean {
  const range = { start: address, end: address + ownVdso().image.length }
  return withMemory(pid, 'r', (memory) => threadsOf(pid).some((thread) => isInside(thread, memory, range)))
}

function assertOriginal(pid: number, address: number): void {
  const { image } = ownVdso()
  if (withMemory(pid, 'r', (memory) => memory.read(address, image.length)).equals(image)) return
  throw new FaultError('clock', `the clock functions of process ${pid} are not the kernel's own`, {
    hint: 'an earlier run may have left them changed: npx nemesis heal; clock faults on the same node must not overlap',
  })
}

function writeAll(pid: number, address: number, spans: readonly Span[]): void {
  withMemory(pid, 'r+', (memory) => {
    for (const { offset, bytes } of spans) memory.write(address + offset, bytes)
  })
}
