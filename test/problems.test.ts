import { expect, it } from 'vitest'
import { z } from 'zod'
import { problemsOf } from '../src/problems.js'

const schema = z.strictObject({
  falsifies: z.array(z.string()),
  at: z.string('expected a time').optional(),
  budget: z.strictObject({ nodes: z.int() }).optional(),
  faults: z.array(z.strictObject({ node: z.string() })).optional(),
})

function problems(value: unknown): string {
  const parsed = schema.safeParse(value)
  return parsed.success ? 'none' : problemsOf(parsed.error)
}

it.each([
  [{ falsify: ['C1'] }, 'falsifies is missing: expected array; falsify is not an option'],
  [{ falsifies: 'C1' }, 'falsifies: expected array, got string'],
  [{ falsifies: [], colour: 1 }, 'colour is not an option'],
  [{ falsifies: [], at: 1 }, 'at: expected a time'],
  [
    { falsifies: [], budget: { node: 3 } },
    'budget.nodes is missing: expected number; budget.node is not an option',
  ],
  [{ falsifies: [], faults: [{ node: 'n1' }, {}] }, 'faults[1].node is missing: expected string'],
  [7, 'expected object, got number'],
])('%j: %s', (value, expected) => {
  expect(problems(value).split('; ').toSorted()).toEqual(expected.split('; ').toSorted())
})
