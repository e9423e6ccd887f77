import { describe, expect, it } from 'vitest'
import { OnlineRegister } from '../../../../../src/checkers/linearizability/exact/register/online.js'
import { zones } from '../../../../../src/checkers/linearizability/exact/register/zones.js'
import { never, registerKind, type Part } from '../../../../../src/checkers/linearizability/part.js'
import { codedPart } from '../../parts.js'
import { randomHistories, registerPart, report } from './judge.js'
import { randomFrom, randomRegisterHistory, type RegisterShape } from './random-register.js'

/** Feeds the events of a part, and keeps how many blocks were kept at most. */
function run(part: Part): { register: OnlineRegister; mostKept: number } {
  const register = new OnlineRegister(0)
  const events = new Int32Array(part.events)
  for (let operation = 0; operation < part.count; operation += 1) {
    events[part.invoke[operation] as number] = operation + 1
    if (part.complete[operation] !== never) events[part.complete[operation] as number] = -(operation + 1)
  }
  let mostKept = 0
  for (const event of events) {
    const operation = Math.abs(event) - 1
    const value = part.a[operation] as number
    const isRead = part.kind[operation] === registerKind.read
    if (isRead && event > 0) register.invokeRead(operation)
    else if (isRead) register.returnRead(operation, value)
    else if (event > 0) register.invokeWrite(operation, value)
    else register.returnWrite(operation)
    mostKept = Math.max(mostKept, register.kept)
  }
  return { register, mostKept }
}

/** The part as it was after so many events. */
function prefixOf(part: Part, events: number): Part {
  const operations = [...part.invoke.keys()].filter(
    (operation) => (part.invoke[operation] as number) < events,
  )
  return only(part, operations, events)
}

function only(part: Part, operations: readonly number[], events = never): Part {
  return codedPart(
    'register',
    operations.map((operation) => {
      const complete = part.complete[operation] as number
      return [
        part.kind[operation] as number,
        part.a[operation] as number,
        -1,
        part.invoke[operation] as number,
        complete < events ? complete : null,
      ]
    }),
    { values: part.values },
  )
}

const shape: Omit<RegisterShape, 'operations' | 'clients'> = {
  unknown: 0.1,
  reads: 0.5,
  cas: 0,
  values: null,
  spoilt: 0.7,
  failed: 0,
}

describe('a register judged while the run goes on', { timeout: 3_600_000 }, () => {
  it.each([
    { kind: 'small', operations: 12, usual: 3_000 },
    { kind: 'longer', operations: 150, usual: 500 },
  ])(
    'finds the first violation of $kind histories at the event at which it happens',
    ({ kind, operations, usual }) => {
      const random = randomFrom(23 + operations)
      const tally = { valid: 0, invalid: 0 }
      for (let round = 0; round < randomHistories(usual); round += 1) {
        const history = randomRegisterHistory(random, {
          ...shape,
          operations: 1 + Math.floor(random() * operations),
          clients: 2 + Math.floor(random() * 5),
        })
        const part = registerPart(history)
        if (part === null) continue
        const { violation, unable } = run(part).register
        const isValid = zones.decide(part).valid
        expect(unable).toBeNull()
        expect(violation === null).toBe(isValid)
        tally[violation === null ? 'valid' : 'invalid'] += 1
        if (violation === null) continue
        expect(zones.decide(prefixOf(part, violation.events)).valid).toBe(false)
        expect(zones.decide(prefixOf(part, violation.events - 1)).valid).toBe(true)
        const core = only(part, violation.operations as number[])
        expect(zones.decide(core).valid).toBe(false)
      }
      report(`online register, ${kind}`, tally)
      expect(Math.min(tally.valid, tally.invalid)).toBeGreaterThan(0.1 * (tally.valid + tally.invalid))
    },
  )

  it('keeps no more of a long run than of a short one', () => {
    const keptAfter = (operations: number) => {
      const history = randomRegisterHistory(randomFrom(5), {
        ...shape,
        operations,
        clients: 10,
        unknown: 0,
        spoilt: 0,
      })
      const { register, mostKept } = run(registerPart(history) as Part)
      expect(register.violation).toBeNull()
      return mostKept
    }
    expect(keptAfter(20_000)).toBeLessThan(2 * keptAfter(2_000))
    expect(keptAfter(20_000)).toBeLessThan(200)
  })

  it('allows a value to be written again when no read can return its earlier write', () => {
    const register = new OnlineRegister('')
    const write = (id: number, value: string) => {
      register.invokeWrite(id, value)
      register.returnWrite(id)
    }
    const read = (id: number, value: string) => {
      register.invokeRead(id)
      register.returnRead(id, value)
    }
    for (let id = 0; id < 40; id += 1) write(id, `v${id % 10}`)
    read(40, 'v9')
    expect(register).toMatchObject({ violation: null, unable: null })
    read(41, 'v8')
    expect(register.violation?.operations).toContain(41)
  })

  it('says when it cannot tell any more', () => {
    const register = new OnlineRegister('')
    register.invokeWrite(1, 'a')
    register.invokeWrite(2, 'a')
    expect(register.unable).toMatch(/"a" is written again/)
  })

  it('lets a forgotten write take effect later, and a forgotten read say nothing', () => {
    const register = new OnlineRegister(0)
    register.invokeWrite(1, 7)
    register.forget(1)
    register.invokeRead(2)
    register.forget(2)
    register.invokeRead(3)
    register.returnRead(3, 7)
    expect(register.violation).toBeNull()
    expect(() => register.returnRead(2, 7)).toThrow(RangeError)
    expect(() => register.returnWrite(1)).toThrow(RangeError)
    register.invokeRead(4)
    register.returnRead(4, 0)
    expect(register.violation).toEqual({ type: 'stale-value', events: 6, operations: [1, 3, 4] })
  })
})
