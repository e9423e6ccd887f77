import { describe, expect, it } from 'vitest'
import { returnNobodyPasses } from '../../../../../src/checkers/linearizability/exact/register/window-orders.js'
import { windowOf } from '../../../../../src/checkers/linearizability/exact/register/window.js'
import { windowProof } from '../../../../../src/checkers/linearizability/exact/register/window-proof.js'
import { none, registerKind } from '../../../../../src/checkers/linearizability/part.js'
import { isLinearizable } from '../../../brute-force.js'
import { codedPart, type Coded } from '../../parts.js'
import {
  compare,
  expectViolation,
  randomHistories,
  registerPart,
  report,
  semantics,
  smallestShare,
} from './judge.js'
import { randomFrom, randomRegisterHistory, type Random, type RegisterShape } from './random-register.js'

const { read, write, cas } = registerKind

const shapeOf = (random: Random): RegisterShape => ({
  operations: Math.floor(random() * 10),
  clients: 2 + Math.floor(random() * 3),
  unknown: random() < 0.1 ? 1 : random() < 0.5 ? 0.2 : 0,
  reads: 0.4,
  cas: random() < 0.5 ? 0.3 : 0,
  values: 2 + Math.floor(random() * 4),
  spoilt: 0.8,
  failed: random() < 0.3 ? 0.1 : 0,
})

/** A write that is overwritten and read all the same, after much that is in order. */
function staleAtTheEnd(rounds: number): Coded[] {
  const history: Coded[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [value, at] = [1 + (round % 3), 10 * round]
    history.push([write, value, -1, at, at + 5], [cas, value, value + 3, at + 6, at + 7])
    history.push([read, value + 3, -1, at + 8, at + 9])
  }
  const at = 10 * rounds
  return [...history, [write, 1, -1, at, at + 1], [read, 4, -1, at + 2, at + 3]]
}

describe('a proof by the operations before an event', { timeout: 3_600_000 }, () => {
  it('agrees with the definition where the window is the whole history', () => {
    const tally = compare(
      (part) => {
        const violation = windowProof(part, { at: part.events - 1 })
        return violation === null ? { valid: true } : { valid: false, violation }
      },
      { count: randomHistories(2_000), seed: 29, shapeOf },
    )
    report('window proof', tally)
    expect(smallestShare(tally)).toBeGreaterThan(0.1)
  })

  it('refutes nothing that is in order by a window without its past', () => {
    const random = randomFrom(31)
    const tally = { valid: 0, invalid: 0, refuted: 0 }
    for (let round = 0; round < randomHistories(3_000); round += 1) {
      const operations = randomRegisterHistory(random, shapeOf(random))
      const part = registerPart(operations)
      if (part === null) continue
      const isValid = isLinearizable(operations, semantics)
      tally[isValid ? 'valid' : 'invalid'] += 1
      const start = Math.floor(random() * part.events * 0.7)
      const window = windowOf(part, { start, end: part.events - 1 })
      if (returnNobodyPasses(window, { initial: null, most: 10_000 }) === none) continue
      tally.refuted += 1
      expect(isValid).toBe(false)
      const indexes = window.map(({ index }) => index)
      const violation = { type: '', operations: indexes, explain: () => '' }
      expectViolation(violation, { part, operations })
    }
    report('windows', tally)
    expect(tally.refuted).toBeGreaterThan(0)
    expect(Math.min(tally.valid, tally.invalid)).toBeGreaterThan(0.1 * (tally.valid + tally.invalid))
  })

  it('leaves the past of a long history out, and what does not matter', () => {
    const part = codedPart('register', staleAtTheEnd(2_000))
    const violation = windowProof(part, { at: part.events - 1 })
    expect(violation?.operations).toEqual([part.count - 2, part.count - 1])
    const told = violation?.explain({ tell: (index) => `<${index}>`, value: String })
    expect(told).toBe(
      'No order of these 2 operations explains what they saw, whatever value the register had before: none gets past the return of <6001>.',
    )
  })

  it('finds nothing in what is in order', () => {
    const part = codedPart('register', staleAtTheEnd(200).slice(0, -1))
    expect(windowProof(part, { at: part.events - 1 })).toBeNull()
  })

  it('gives up when there are too many orders', () => {
    const open: Coded[] = Array.from({ length: 24 }, (_, index) => [
      write,
      1 + (index % 12),
      -1,
      index,
      100 + index,
    ])
    const part = codedPart('register', [...open, [read, 99, -1, 50, 60]])
    expect(windowProof(part, { at: part.events - 1, most: 1 })).toBeNull()
  })
})
