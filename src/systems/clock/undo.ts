import { FaultError, messageOf } from '../../errors.js'
import type { Undo } from '../../nemesis/undo/journal.js'
import { processStartTime } from '../process/start-time.js'
import type { Span } from './replacement.js'
import { restoreTagged, type Originals } from './replace.js'
import { carriesTag } from './tagged.js'
import { isGone } from './vdso.js'

type ClockUndo = Extract<Undo, { kind: 'clock' }>

/** What another process must know to give the processes their own clocks back. */
export async function clockUndo(
  { tag, originalTag, originals }: Originals,
  pids: readonly number[],
): Promise<ClockUndo> {
  return {
    kind: 'clock',
    tag: inHex(tag),
    originalTag: inHex(originalTag),
    body: originals.body.map(inHex),
    entries: originals.entries.map(inHex),
    processes: await Promise.all(pids.map(async (pid) => ({ pid, startTime: await processStartTime(pid) }))),
  }
}

/**
 * Gives every process that carries the tag its original clock functions back, forked ones included, and lets the listed
 * ones go on if the run died while they were stopped for the change. Returns how many had a changed clock.
 *
 * Throws FaultError for a listed process that lives and may not be looked at.
 */
export async function undoClock(undo: ClockUndo): Promise<number> {
  const tag = fromHex(undo.tag)
  const originals = { body: undo.body.map(fromHex), entries: undo.entries.map(fromHex) }
  const restored = await restoreTagged(
    { tag, originalTag: fromHex(undo.originalTag), originals },
    { always: true },
  )
  for (const { pid, startTime } of undo.processes) {
    if (startTime === null || (await processStartTime(pid)) !== startTime) continue
    try {
      process.kill(pid, 'SIGCONT')
      carriesTag(pid, tag)
    } catch (error) {
      if (isGone(error)) continue
      throw new FaultError('undo', `the clock of process ${pid} may still be changed: ${messageOf(error)}`, {
        hint: `end the process, or run npx nemesis heal as root`,
      })
    }
  }
  return restored
}

function inHex({ offset, bytes }: Span): { offset: number; bytes: string } {
  return { offset, bytes: bytes.toString('hex') }
}

function fromHex({ offset, bytes }: { offset: number; bytes: string }): Span {
  return { offset, bytes: Buffer.from(bytes, 'hex') }
}
