import { FaultError, messageOf } from '../../errors.js'
import type { Undo } from '../../nemesis/undo/journal.js'
import { processStartTime } from '../process/start-time.js'
import type { PlannedReplacement, Span } from './replacement.js'
import { restoreTagged } from './replace.js'
import { carriesTag } from './tagged.js'
import { isGone } from './vdso.js'

type ClockUndo = Extract<Undo, { kind: 'clock' }>

/** What another process must know to give the processes their own clocks back. */
export async function clockUndo(
  { tag, originals }: Pick<PlannedReplacement, 'tag' | 'originals'>,
  pids: readonly number[],
): Promise<ClockUndo> {
  return {
    kind: 'clock',
    tag: inHex(tag),
    originals: originals.map(inHex),
    processes: await Promise.all(pids.map(async (pid) => ({ pid, startTime: await processStartTime(pid) }))),
  }
}

/**
 * Gives every process that carries the tag its original clock functions back, forked ones included, and lets the listed
 * ones go on if the run died while they were stopped for the change. Returns how many had a changed clock.
 *
 * Throws FaultError for a listed process that lives and may not be looked at.
 */
export async function undoClock({ tag, originals, processes }: ClockUndo): Promise<number> {
  const spans = { tag: fromHex(tag), originals: originals.map(fromHex) }
  const restored = await restoreTagged(spans, { always: true })
  for (const { pid, startTime } of processes) {
    if (startTime === null || (await processStartTime(pid)) !== startTime) continue
    try {
      process.kill(pid, 'SIGCONT')
      carriesTag(pid, spans.tag)
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
