import { describe, expect, it } from 'vitest'
import { checkerNamed } from '../../../src/checkers/named.js'
import { rulesFor } from '../../../src/findings/minimise/rules.js'
import { closed } from '../../../src/findings/minimise/ties/ties.js'
import { validHistory } from '../../../src/generators/valid-history.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import type { Model } from '../../../src/models/model.js'
import { modelNamed, modelNames } from '../../../src/models/named.js'
import { Random } from '../../../src/random/random.js'
import { hasOrder, inRealTime, inSession } from '../../sensitivity/by-definition.js'
import { randomHistories } from '../../support/random-histories.js'

/** A closed part of the history around some of its operations. */
function closedPart(history: readonly Operation[], { checker, model, random }: Drawn): readonly Operation[] {
  const rules = rulesFor({ name: checker, usesModel: true }, model)
  if (rules?.reach !== 'history') throw new Error(`${checker} of ${model.name} has no closed parts`)
  const ties = rules.ties(history)
  const seed = random.shuffle([...history]).slice(0, random.int(1, Math.max(1, history.length >> 1)))
  const part = closed(seed, { ties, history }).operations
  return ties.shown?.(part) ?? part
}

interface Drawn {
  readonly checker: string
  readonly model: Model
  readonly random: Random
}

const others = [
  ['no-lost-ack', 'queue'],
  ['no-lost-ack', 'set'],
  ['total-queue', 'queue'],
  ['no-duplicates', 'queue'],
  ['no-unexpected', 'queue'],
  ['prefix-order', 'queue'],
  ['counter', 'counter'],
  ['session-consistency', 'register'],
  ['session-consistency', 'session'],
  ['read-your-writes', 'session'],
  ['monotonic-reads', 'map'],
  ['monotonic-writes', 'session'],
  ['writes-follow-reads', 'session'],
  ['mutual-exclusion', 'lock'],
  ['mutual-exclusion', 'semaphore'],
] as const

const ofEach = randomHistories(150, 2 * modelNames.length + others.length)

/** What is there at first, of models that can begin with something. */
const beginnings: Readonly<Record<string, Json>> = {
  register: 'first',
  'cas-register': 'first',
  map: 'first',
  queue: ['first', 'second'],
  stack: ['first', 'second'],
  'priority-queue': [3, 7],
  set: ['first', 'second'],
  log: ['first', 'second'],
  counter: 10,
}

function drawnModel(name: string, seed: number): Model {
  const init = beginnings[name]
  return modelNamed(name, seed % 4 === 0 && init !== undefined ? { init } : {})
}

/** What explains the whole explains its closed parts: without that, a core would prove nothing. */
describe.each(modelNames)('closed parts of a history of %s', (name) => {
  it.each([
    { checker: 'linearizable', precedes: inRealTime },
    { checker: 'sequential', precedes: inSession },
  ])('are $checker, as the whole is', { timeout: 300_000 }, ({ checker, precedes }) => {
    let smaller = 0
    for (let seed = 0; seed < ofEach; seed += 1) {
      const random = new Random(seed)
      const model = drawnModel(name, seed)
      const shape = { operations: 4 + (seed % 9), processes: 1 + (seed % 4), keys: 1 + (seed % 2) }
      const history = validHistory(model, { ...shape, unknown: 0.15, failed: 0.1, seed })
      if (history.length === 0) continue
      const part = closedPart(history, { checker, model, random })
      if (part.length < history.length) smaller += 1
      if (!hasOrder(part, { model, precedes })) {
        expect.fail(`seed ${seed}: ${JSON.stringify(part)}\nof ${JSON.stringify(history)}`)
      }
    }
    expect(smaller).toBeGreaterThan(ofEach / 20)
  })
})

describe.each(others)('closed parts of what %s finds clean of %s', (checker, name) => {
  it('are clean', { timeout: 300_000 }, async () => {
    const judge = checkerNamed(checker)
    const model = modelNamed(name)
    for (let seed = 0; seed < ofEach; seed += 1) {
      const random = new Random(seed)
      const shape = { operations: 10 + (seed % 50), processes: 1 + (seed % 5), keys: 1 + (seed % 3) }
      const history = validHistory(model, { ...shape, unknown: 0.05, failed: 0.05, seed })
      const input = { model, collected: null, timeoutMs: 10_000 }
      if ((await judge.check({ ...input, operations: history })).valid === false) continue
      const part = closedPart(history, { checker, model, random })
      const { valid, anomalies } = await judge.check({ ...input, operations: part })
      if (valid === false)
        expect.fail(
          `seed ${seed}: ${JSON.stringify(anomalies[0])}\n${JSON.stringify(part)}\nof ${JSON.stringify(history)}`,
        )
    }
  })
})
