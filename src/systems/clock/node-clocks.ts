import { FaultError } from '../../errors.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import type { ClockRule, NodeClocks } from '../capabilities.js'
import { processStartTime } from '../process/start-time.js'
import { basesNow } from './bases.js'
import { runningAt, skewedBy, type ClockChange } from './change.js'
import { explained } from './memory.js'
import { processTree } from './process-tree.js'
import { planReplacement } from './replacement.js'
import { replaceBelow, restoreTagged } from './replace.js'
import { clocksLack } from './support.js'
import { carriesTag, taggedProcesses } from './tagged.js'
import { ownVdso } from './vdso.js'
import { clockUndo } from './undo.js'

export interface NodeClocksOptions {
  readonly journal: UndoJournal
  /** The node's first process, by its id on this machine; null when the node is down. Throws EnvironmentError when it is elsewhere. */
  readonly pidOf: (node: string) => Promise<number | null>
}

/**
 * Clocks of nodes that run on this machine's kernel, changed in the running processes themselves: the functions that the
 * kernel maps into each for reading clocks are replaced. Null on machines where that is not known how to do.
 */
export function nodeClocks(options: NodeClocksOptions): NodeClocks | null {
  if (clocksLack() !== null) return null
  const changed = new Set<string>()
  const change = async (node: string, how: ClockChange): Promise<ClockRule> => {
    if (changed.has(node)) {
      throw new FaultError(
        'clock',
        `the clock of ${node} is changed already: a node takes one clock fault at a time, as its clock shows only both together`,
        {
          hint: 'let the one be healed before the other comes (`at`, `for`, nemesis.sequence), or aim them at different nodes',
        },
      )
    }
    changed.add(node)
    try {
      return await changeClock(options, node, how, () => changed.delete(node))
    } catch (error) {
      changed.delete(node)
      throw error
    }
  }
  return {
    skew: (node, offsetMs) => change(node, skewedBy(offsetMs)),
    rate: (node, factor) => change(node, runningAt(factor)),
  }
}

async function changeClock(
  { journal, pidOf }: NodeClocksOptions,
  node: string,
  change: ClockChange,
  removed: () => void,
): Promise<ClockRule> {
  const root = await pidOf(node)
  if (root === null) {
    throw new FaultError('clock', `${node} is down: it has no clock to change`, {
      hint: 'order the faults so that the node runs when its clock is to be changed',
    })
  }
  const startTime = await processStartTime(root)
  const replacement = planReplacement(ownVdso(), change)
  const entries = [await journal.open(await clockUndo(replacement, processTree(root)))]
  const undo = async () => {
    // Forked since then, or not: a run that dies in the middle of this leaves no process stopped.
    entries.push(await journal.open(await clockUndo(replacement, taggedProcesses(replacement.tag))))
    await restoreTagged(replacement)
    for (const entry of entries.splice(0)) await journal.close(entry)
  }
  let pids: readonly number[]
  try {
    const slower = change.numerator < change.denominator
    pids = await replaceBelow(root, replacement, () => basesNow(slower))
  } catch (error) {
    await undo()
    throw explained(error, root)
  }
  return {
    mechanism: 'clock functions of the running processes (vDSO) replaced',
    async reach() {
      const now = await pidOf(node)
      const tags = now === null ? [] : processTree(now).map((pid) => carriesTag(pid, replacement.tag))
      return {
        changed: tags.filter((tag) => tag === true).length,
        unchanged: tags.filter((tag) => tag === false).length,
      }
    },
    async lost() {
      const now = await pidOf(node)
      if (now === null) return `${node} is down`
      if (now !== root || (await processStartTime(now)) !== startTime) return `${node} was started anew`
      const right = pids.find((pid) => carriesTag(pid, replacement.tag) === false)
      if (right === undefined) return null
      return `somebody set the clock of ${node} right again: process ${right} has its own clock functions, as after another exec`
    },
    async remove() {
      if (entries.length === 0) return
      await undo()
      removed()
    },
    present: async () => taggedProcesses(replacement.tag).length > 0,
  }
}
