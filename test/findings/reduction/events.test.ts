import { describe, expect, it } from 'vitest'
import { eventsOf, nemesisOf } from '../../../src/findings/reduction/events.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import type { FaultPlan } from '../../../src/nemesis/schedule/plan.js'
import { faultWindow, runRecord } from '../../session/records.js'

const ms = 1_000_000
const startedAt = 200 * ms

const plans: readonly FaultPlan[] = [
  nemesis.sequence(
    nemesis('partition', { isolate: 'leader', for: '1s' }),
    nemesis('kill', { node: 'n1', for: '1s' }),
  ),
  nemesis.random({ kinds: [nemesis('pause', { node: 'random' }), nemesis('kill', { node: 'random' })] }),
]

const fired = (fault: string, id: string | null, forMs: number | null, drawn: string[] = []) => ({
  fault,
  afterMs: 0,
  forMs,
  id,
  drawn: drawn.length === 0 ? [] : [{ target: 'random', nodes: drawn }],
  skipped: id === null ? 'no quorum' : null,
  recoveredMs: null,
})

const window = (id: string, fault: string, injected: number, landed: number | null, healed: number) =>
  faultWindow({
    id,
    fault,
    injected_ts: injected * ms,
    landed_ts: landed === null ? null : landed * ms,
    healed_ts: healed * ms,
  })

const run = runRecord({
  schedule: [
    { declared: 'partition', faults: [fired('partition isolate=leader', 'F1', 1_000)] },
    { declared: 'kill', faults: [fired('kill node=n1', 'F3', null)] },
    {
      declared: 'random',
      faults: [fired('kill node=random', 'F2', 700, ['n2']), fired('pause node=random', null, 800)],
    },
  ],
  faults: [
    window('F1', 'partition', 300, 350, 1_350),
    window('F2', 'kill', 400, null, 1_100),
    window('F3', 'kill', 1_400, 1_420, 5_000),
  ],
})

describe('the faults of a recorded run', () => {
  const events = eventsOf(run, { plans, startedAt })

  it('are those that went in, in order, with their times in the workload', () => {
    expect(events.map(({ id, fault, atMs, forMs, category }) => [id, fault, atMs, forMs, category])).toEqual([
      ['F1', 'partition isolate=leader', 100, 1_000, 'network'],
      ['F2', 'kill node=random', 200, 700, 'process'],
      ['F3', 'kill node=n1', 1_200, null, 'process'],
    ])
  })

  it('have the nodes that were drawn, and roles as they were declared', () => {
    expect(events.map(({ nemesis: { options } }) => options)).toMatchObject([
      { isolate: 'leader' },
      { node: 'n2' },
      { node: 'n1' },
    ])
    expect(events.map(({ nemesis: { schedule } }) => schedule)).toEqual([{}, {}, {}])
  })

  it('are found again in the declaration by their place', () => {
    for (const event of events) {
      const { definition, options } = nemesisOf(plans, event)
      expect(definition).toBe(event.nemesis.definition)
      expect(options).toEqual(event.nemesis.options)
    }
    expect(events.map(({ path, kind }) => [path, kind])).toEqual([
      ['0.0', null],
      ['1', 1],
      ['0.1', null],
    ])
  })

  it('are refused when the declaration has changed', () => {
    const [event] = events
    const others = [nemesis('partition', { isolate: 'n3' })]
    expect(() => nemesisOf(others, event!)).toThrow(/does not declare the faults of the record/)
    expect(() => nemesisOf([nemesis.overlap(others[0]!, others[0]!)], event!)).toThrow(
      /partition isolate=leader/,
    )
    expect(() => eventsOf(run, { plans: others, startedAt })).toThrow(/run the scenario again/)
  })

  it('have drawn groups of nodes where the options name them', () => {
    const cut = nemesis('partition', { groups: [['minority'], ['n1']] })
    const pinned = nemesisOf([cut], {
      fault: 'partition groups=[["minority"],["n1"]]',
      path: '0',
      kind: null,
      drawn: [{ target: ['minority'], nodes: ['n2', 'n3'] }],
    })
    expect(pinned.options).toMatchObject({ groups: [['n2', 'n3'], ['n1']] })
  })
})
