import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../../src/findings/reduction/candidate.js'
import type { FaultEvent } from '../../../src/findings/reduction/events.js'
import type { Operation } from '../../../src/history/operation.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { search, type Ground } from '../../../src/scenario/reduce/search.js'
import type { Shown } from '../../../src/scenario/reduce/trials.js'
import { operation } from '../../checkers/operation.js'
import { faultWindow, runRecord } from '../../session/records.js'

const full = { kind: 'workload', clients: 8, durationMs: 5_000 } as const
const operations = Array.from({ length: 20 }, (_, index) =>
  operation({
    op_id: index,
    process_id: index % 4,
    op_type: 'write',
    key: 'k0',
    at: [index * 10, index * 10 + 5],
  }),
)

function event(id: string, category: FaultEvent['category']): FaultEvent {
  return {
    ...{ id, category, fault: id, path: '0', kind: null, drawn: [], atMs: 0, forMs: null },
    nemesis: nemesis('kill', { node: 'n1' }),
    window: faultWindow({ id }),
  }
}

const events = [
  event('F1', 'network'),
  event('F2', 'process'),
  event('F3', 'network'),
  event('F4', 'storage'),
  event('F5', 'process'),
]
const ground: Ground = {
  recorded: { operations, nodes: ['n1', 'n2', 'n3'], clients: 4 },
  events,
  core: operations.slice(10, 16),
  coreEndsMs: 1_000,
}

/** A system that shows the violation for some candidates, within a number of questions. */
class Fake {
  readonly asked: Candidate[] = []
  readonly #shows: (candidate: Candidate) => boolean
  readonly #budget: number
  best: Shown | null = null

  constructor(shows: (candidate: Candidate) => boolean, budget = 1_000) {
    this.#shows = shows
    this.#budget = budget
  }

  readonly shows = async (candidate: Candidate): Promise<boolean | null> => {
    if (this.asked.length >= this.#budget) return null
    this.asked.push(candidate)
    const shown = this.#shows(candidate)
    if (shown) this.best = { candidate, run: runRecord() }
    return shown
  }

  /** It is never by luck that this one shows the violation. */
  readonly showsSurely = this.shows

  search() {
    return search({
      trials: this,
      ground,
      full,
      groundOf: ({ candidate }) => Promise.resolve({ ...ground, events: candidate.events }),
    })
  }
}

const has = (candidate: Candidate, ...ids: string[]) =>
  ids.every((id) => candidate.events.some((one) => one.id === id))
const idsOf = (shown: Shown | null) => shown?.candidate.events.map(({ id }) => id)
const performed = ({ load }: Candidate): readonly Operation[] =>
  load.kind === 'operations' ? load.operations : []
const performs = (candidate: Candidate, ...ids: number[]) =>
  ids.every((id) => performed(candidate).some((one) => one.op_id === id))

describe('the search for what a violation needs', () => {
  it('leaves the two faults of two categories and the two operations that are needed', async () => {
    const fake = new Fake((candidate) => has(candidate, 'F2', 'F3') && performs(candidate, 11, 15))
    expect(await fake.search()).toBe(true)
    expect(idsOf(fake.best)).toEqual(['F2', 'F3'])
    expect(performed(fake.best!.candidate).map(({ op_id: id }) => id)).toEqual([11, 15])
  })

  it('never tries without a category that matters', async () => {
    const fake = new Fake((candidate) => has(candidate, 'F2') && performs(candidate, 11))
    await fake.search()
    const withoutProcess = fake.asked.filter(
      (one) => !one.events.some(({ category }) => category === 'process'),
    )
    // Once to see that it matters, and once more for the operations that are left in the end.
    expect(withoutProcess).toHaveLength(2)
  })

  it('takes in other operations on the keys when those of the core do not show it', async () => {
    const fake = new Fake((candidate) => performs(candidate, 3, 12))
    expect(await fake.search()).toBe(true)
    expect(idsOf(fake.best)).toEqual([])
    expect(performed(fake.best!.candidate).map(({ op_id: id }) => id)).toEqual([3, 12])
  })

  it('keeps the pauses only where it needs them', async () => {
    const gaps = ({ load }: Candidate) => load.kind === 'operations' && load.gaps
    const slow = new Fake((candidate) => gaps(candidate) && performs(candidate, 11, 12))
    await slow.search()
    expect(gaps(slow.best!.candidate)).toBe(true)
    const quick = new Fake(
      (candidate) => performs(candidate, 11, 12) && (gaps(candidate) || performed(candidate).length < 4),
    )
    await quick.search()
    expect(gaps(quick.best!.candidate)).toBe(false)
  })

  it('reduces the faults of the whole workload, then its time and clients, when no script shows it', async () => {
    const fake = new Fake(
      (candidate) =>
        candidate.load.kind === 'workload' && has(candidate, 'F4') && candidate.load.clients >= 3,
    )
    expect(await fake.search()).toBe(true)
    expect(idsOf(fake.best)).toEqual(['F4'])
    expect(fake.best!.candidate.load).toEqual({ kind: 'workload', clients: 4, durationMs: 1_500 })
  })

  it('goes over to a script once the faults are few', async () => {
    const fake = new Fake((candidate) =>
      candidate.load.kind === 'workload'
        ? has(candidate, 'F1')
        : has(candidate, 'F1') && candidate.events.length === 1 && performs(candidate, 15),
    )
    expect(await fake.search()).toBe(true)
    expect(idsOf(fake.best)).toEqual(['F1'])
    expect(performed(fake.best!.candidate).map(({ op_id: id }) => id)).toEqual([15])
  })

  it('says when it is not seen again at all', async () => {
    const fake = new Fake(() => false)
    expect(await fake.search()).toBe(false)
    expect(fake.best).toBeNull()
  })

  it('has the best so far and calls it not minimal when the budget is spent', async () => {
    for (let budget = 1; budget < 12; budget++) {
      const fake = new Fake((candidate) => has(candidate, 'F2', 'F3') && performs(candidate, 11, 15), budget)
      expect(await fake.search()).toBe(false)
      expect(has(fake.best!.candidate, 'F2', 'F3')).toBe(true)
    }
  })
})

it('tries a fault that takes nodes down where it landed, when something was answered meanwhile', async () => {
  const going = (category: FaultEvent['category']): FaultEvent => ({
    ...event('F1', category),
    window: faultWindow({ id: 'F1', injected_ts: 102, landed_ts: 140 }),
  })
  for (const [category, placed] of [
    ['process', [140, 102]],
    ['network', [102]],
  ] as const) {
    const asked: number[] = []
    const shows = async ({ events: [fault], load }: Candidate) => {
      if (load.kind === 'operations' && !load.gaps && load.operations.length === 6)
        asked.push(fault?.window.injected_ts ?? NaN)
      return false
    }
    await search({
      trials: { shows, showsSurely: shows, best: null },
      ground: { ...ground, events: [going(category)] },
      full,
      groundOf: () => Promise.reject(new Error('nothing is shown')),
    })
    expect(asked).toEqual(placed)
  }
})
