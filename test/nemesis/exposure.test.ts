import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/history/operation.js'
import type { FaultWindow } from '../../src/nemesis/evidence.js'
import { exposure, judgeLanding } from '../../src/nemesis/exposure.js'
import { reading } from './reading.js'

function operation(id: number, more: Partial<Operation>): Operation {
  return {
    op_id: id,
    process_id: 0,
    invoke_ts: 0,
    complete_ts: null,
    op_type: 'read',
    key: null,
    input: null,
    output: null,
    error: null,
    timeout_marker: false,
    node_seen: null,
    fault_epoch: null,
    ...more,
  }
}

const window: FaultWindow = {
  id: 'F2',
  fault: 'kill',
  target: 'n1',
  mechanism: 'fake',
  injected_ts: 100,
  landed_ts: 110,
  healed_ts: 200,
  landed: true,
  cause: null,
  evidence: [],
  healed: [],
  exposure: null,
}

const nodeOf = (process: number | string) => ['n1', 'n2'][Number(process)] ?? null
const count = (operations: readonly Operation[], affects = ['n1'], open = false) =>
  exposure(open ? { ...window, healed_ts: null } : window, affects, operations, nodeOf)

describe('exposure', () => {
  it('counts operations in flight at a moment of the window', () => {
    const operations = [
      operation(1, { invoke_ts: 10, complete_ts: 100 }),
      operation(2, { invoke_ts: 10, complete_ts: 101 }),
      operation(3, { invoke_ts: 120, complete_ts: 130, error: 'conflict' }),
      operation(4, { invoke_ts: 199, complete_ts: null, timeout_marker: true }),
      operation(5, { invoke_ts: 200, complete_ts: 210 }),
    ]
    expect(count(operations)).toEqual({ overlapping: 3, exposed: 3, ok: 1, failed: 1, unknown: 1 })
    expect(count(operations, ['n1'], true).overlapping).toBe(4)
  })

  it('takes only those on an affected path for exposed: by the client, or by the node that answered', () => {
    const during = { invoke_ts: 120, complete_ts: 130 }
    const operations = [
      operation(1, { ...during, process_id: 0 }),
      operation(2, { ...during, process_id: 1 }),
      operation(3, { ...during, process_id: 1, node_seen: 'n1' }),
      operation(4, { ...during, process_id: 7 }),
    ]
    expect(count(operations)).toMatchObject({ overlapping: 4, exposed: 2 })
    expect(count(operations, [])).toMatchObject({ overlapping: 4, exposed: 0 })
  })

  it('counts an unanswered operation from before only when the recorder saw the window open during it', () => {
    const before = { invoke_ts: 50, complete_ts: null, timeout_marker: true }
    expect(count([operation(1, before)]).overlapping).toBe(0)
    expect(count([operation(1, { ...before, fault_epoch: 'F1+F2' })]).overlapping).toBe(1)
    expect(count([operation(1, { ...before, fault_epoch: 'F22' })]).overlapping).toBe(0)
  })
})

describe('judgeLanding', () => {
  const met = { overlapping: 5, exposed: 2, ok: 2, failed: 0, unknown: 0 }

  it('takes a landing back that no operation met', () => {
    expect(judgeLanding({ ...window, exposure: { ...met, exposed: 0 } })).toMatchObject({
      landed: false,
      cause: 'no operation met the fault: 5 were in flight while it was in place, none on an affected path',
    })
    expect(judgeLanding({ ...window, exposure: { ...met, overlapping: 0, exposed: 0 } }).cause).toMatch(
      /none was in flight/,
    )
  })

  it('takes a landing back that its own readings refute', () => {
    const refuted = { ...window, exposure: met, evidence: [reading({ subject: 'n1->n1' })] }
    expect(judgeLanding(refuted)).toMatchObject({
      landed: false,
      cause: 'it is between n1 and itself, so nothing was kept from anybody',
    })
  })

  it('leaves the others as they are', () => {
    for (const one of [
      { ...window, exposure: met },
      window,
      { ...window, landed: false, cause: 'x', exposure: { ...met, exposed: 0 } },
    ]) {
      expect(judgeLanding(one)).toBe(one)
    }
  })
})
