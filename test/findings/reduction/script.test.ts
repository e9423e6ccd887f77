import { describe, expect, it } from 'vitest'
import type { FaultEvent } from '../../../src/findings/reduction/events.js'
import { scriptOf } from '../../../src/findings/reduction/script.js'
import type { Operation } from '../../../src/history/operation.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { operation } from '../../checkers/operation.js'
import { faultWindow } from '../../session/records.js'

const ms = 1_000_000

function inMs(time: number | null | undefined): number | null {
  return typeof time === 'number' ? time * ms : null
}

function partition(times: { injected: number; landed?: number | null; healed?: number | null }): FaultEvent {
  return {
    id: 'F1',
    fault: 'partition isolate=n3',
    path: '0',
    kind: null,
    drawn: [],
    atMs: times.injected,
    forMs: null,
    category: 'network',
    nemesis: nemesis('partition', { isolate: 'n3' }),
    window: faultWindow({
      injected_ts: times.injected * ms,
      landed_ts: inMs(times.landed),
      healed_ts: inMs(times.healed),
    }),
  }
}

function op(id: number, process: number, invoked: number, ended: number | null): Operation {
  return operation({
    op_id: id,
    process_id: process,
    op_type: 'write',
    key: 'k0',
    input: id,
    at: [invoked * ms, ended === null ? null : ended * ms],
  })
}

const nodeOf = (process: number | string) => `n${Number(process) + 1}`

describe('a script of what was recorded', () => {
  it('has a stale read across a partition: a write before it, a write and a read under it', () => {
    const operations = [op(7, 0, 10, 12), op(90, 1, 120, 125), op(95, 2, 130, 140)]
    const events = [partition({ injected: 50, landed: 90, healed: 500 })]
    const script = scriptOf({ operations, events, nodeOf, gaps: false })
    expect(script.operations.map(({ id, client, node, after }) => [id, client, node, after])).toEqual([
      ['o1', 0, 'n1', []],
      ['o2', 1, 'n2', ['F1 placed']],
      ['o3', 2, 'n3', ['o2 ended']],
    ])
    expect(script.faults).toMatchObject([{ id: 'F1', turn: { after: ['o1 ended'], waitMs: 0 }, heal: null }])
  })

  it('keeps what overlapped overlapping: it waits for the beginning of the other only', () => {
    const script = scriptOf({
      operations: [op(1, 0, 10, 40), op(2, 1, 20, 30), op(3, 0, 50, 60)],
      events: [],
      nodeOf,
      gaps: false,
    })
    expect(script.operations.map(({ after }) => after)).toEqual([
      [],
      ['o1 invoked'],
      ['o2 ended', 'o1 ended'].toSorted(),
    ])
  })

  it('does not wait for an answer that never came', () => {
    const script = scriptOf({
      operations: [op(1, 0, 10, null), op(2, 1, 2_000, 2_001)],
      events: [],
      nodeOf,
      gaps: false,
    })
    expect(script.operations[1]?.after).toEqual(['o1 invoked'])
  })

  it('heals a fault before an operation that came after it', () => {
    const operations = [op(1, 0, 60, 65), op(2, 1, 510, 520)]
    const events = [partition({ injected: 50, landed: 90, healed: 500 })]
    const script = scriptOf({ operations, events, nodeOf, gaps: false })
    expect(script.faults[0]?.heal).toEqual({ after: ['o1 ended'], waitMs: 0 })
    expect(script.operations[0]?.after).toEqual(['F1 placed'])
    expect(script.operations[1]?.after).toEqual(['F1 healed'])
  })

  it('lets an operation that came while a fault was being taken back wait until it is', () => {
    const operations = [op(1, 0, 10, 12), op(2, 1, 400, 410)]
    const events = [{ ...partition({ injected: 50, landed: 90, healed: 500 }), forMs: 200 }]
    const script = scriptOf({ operations, events, nodeOf, gaps: false })
    expect(script.faults[0]?.heal).toEqual({ after: ['F1 placed'], waitMs: 0 })
    expect(script.operations[1]?.after).toEqual(['F1 healed'])
  })

  it('keeps the time between moments when that is asked for', () => {
    const operations = [op(1, 0, 10, 12), op(2, 1, 120, 125)]
    const events = [partition({ injected: 50, landed: 90, healed: 500 })]
    const script = scriptOf({ operations, events, nodeOf, gaps: true })
    expect(script.operations.map(({ waitMs }) => waitMs)).toEqual([0, 70])
    expect(script.faults[0]?.turn).toEqual({ after: ['o1 ended'], waitMs: 38 })
  })

  it('waits for the landing of a fault that has signs of its own', () => {
    const event = partition({ injected: 50, landed: 90, healed: null })
    const signal = { name: 'term', sample: () => Promise.resolve(1) }
    const events = [{ ...event, nemesis: { ...event.nemesis, landing: [signal] } }]
    const script = scriptOf({
      operations: [op(1, 0, 70, 75), op(2, 1, 120, 125)],
      events,
      nodeOf,
      gaps: false,
    })
    expect(script.operations.map(({ after }) => after)).toEqual([['F1 placed'], ['o1 ended', 'F1 landed']])
  })
})
