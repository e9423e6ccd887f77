import fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

const step = fc.record({
  process: fc.nat(59),
  /** A write when it is below the share of writes. */
  kind: fc.nat(99),
  key: fc.constantFrom('x', 'x', 'x', 'x', 'y'),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown'),
  /** Which value a read shows, of those that are written somewhere. */
  pick: fc.nat(6),
  repeats: fc.constantFrom(...Array<boolean>(15).fill(false), true),
  shows: fc.constantFrom('both', 'both', 'both', 'both', 'value', 'version'),
  length: fc.integer({ min: 1, max: 8 }),
})

/** How much of the versions a history shows. */
export type Versions = 'all' | 'some' | 'none'

/**
 * Small histories of a few sessions on two keys, with `writes` per cent of writes. Reads show what some write of the key wrote, in any order; versions, if
 * they are shown, are in a random order of the writes. Operations of a process follow each other.
 */
export function smallSessions(
  versions: readonly Versions[],
  {
    most = 9,
    writes = 50,
    processes = [0, 0, 0, 1, 1, 2],
    readsLast = false,
  }: { most?: number; writes?: number; processes?: readonly number[]; readsLast?: boolean } = {},
): fc.Arbitrary<Operation[]> {
  return fc
    .record({
      steps: fc.array(step, { maxLength: most, size: 'max' }),
      order: fc.array(fc.nat(20), { minLength: most, maxLength: most }),
      versions: fc.constantFrom(...versions),
    })
    .map(({ steps, order, versions: shown }) => {
      const drawn = steps.map((it) => ({
        ...it,
        isWrite: it.kind < writes,
        process: processes[it.process % processes.length]!,
      }))
      if (readsLast) drawn.sort((a, b) => Number(b.isWrite) - Number(a.isWrite))
      return play(drawn, order, shown)
    })
}

type Drawn = typeof step extends fc.Arbitrary<infer T> ? T : never
type Step = Drawn & { readonly isWrite: boolean; readonly at: number }

function play(given: readonly Omit<Step, 'at'>[], order: readonly number[], shown: Versions): Operation[] {
  const steps: Step[] = given.map((it, at) => ({ ...it, at }))
  const writes = steps.filter(({ isWrite }) => isWrite).slice(0, 5)
  const valueOf = (it: Step) => (it.repeats ? 1 : it.at + 1)
  const ranked = writes.toSorted((a, b) => order[a.at]! - order[b.at]! || a.at - b.at)
  const versionOf = (it: Step) => ranked.indexOf(it) + 1
  const show = (it: Step, of: Step): Json => {
    const what = shown === 'all' ? 'both' : shown === 'none' ? 'value' : it.shows
    if (what === 'value') return valueOf(of)
    return { ...(what === 'both' ? { value: valueOf(of) } : {}), version: versionOf(of) }
  }
  let now = 0
  const free = new Map<number, number>()
  return steps
    .filter((it) => !it.isWrite || writes.includes(it))
    .map((it, index) => {
      const sources = writes.filter(({ key }) => key === it.key)
      const source = sources[it.pick % (sources.length + 1)]
      const isOk = it.outcome === 'ok'
      const isUnknown = it.outcome === 'unknown'
      const begin = Math.max(now + 1, free.get(it.process) ?? 0)
      now = begin
      const end = begin + it.length
      free.set(it.process, end)
      return {
        op_id: index,
        process_id: it.process,
        invoke_ts: begin,
        complete_ts: isUnknown ? null : end,
        op_type: it.isWrite ? 'write' : 'read',
        key: it.key,
        input: it.isWrite ? valueOf(it) : null,
        output: !isOk ? null : it.isWrite ? show(it, it) : source === undefined ? null : show(it, source),
        error: isOk ? null : it.outcome,
        timeout_marker: isUnknown,
        node_seen: null,
        fault_epoch: null,
      }
    })
}
