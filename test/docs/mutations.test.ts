import { expect, it } from 'vitest'
import { catalog } from '../../src/checkers/catalog.js'
import { modelNamed, modelNames } from '../../src/models/named.js'
import { forbiddenBy } from '../../src/sensitivity/forbids.js'
import { mutations } from '../../src/sensitivity/mutations/index.js'
import { textOf } from '../repo/sources.js'

const page = textOf('docs/verdicts.md')
const rows = [...page.matchAll(/^\| `([a-z-]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, name = '', , checkers = '']) =>
    [name, [...checkers.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')] as const,
)

/** The checkers that forbid each mutation by some model, with and without a final state. */
function forbiddenIn(): Map<string, Set<string>> {
  const checkers = new Map<string, Set<string>>(mutations.map(({ name }) => [name, new Set<string>()]))
  for (const { example } of catalog) {
    const checker = example()
    for (const model of modelNames) {
      for (const collected of [null, []]) {
        const history = { operations: [], model: modelNamed(model), collected }
        for (const { name } of forbiddenBy(checker, history).mutations) checkers.get(name)?.add(checker.name)
      }
    }
  }
  return checkers
}

it('the documents list every mutation with the checkers that forbid it', () => {
  expect(rows.map(([name]) => name)).toEqual(mutations.map(({ name }) => name))
  const known = forbiddenIn()
  for (const [name, checkers] of rows) {
    expect([...checkers].toSorted(), name).toEqual([...(known.get(name) ?? [])].toSorted())
  }
})

it('and name the checkers for which there are no mutants', () => {
  const known = new Set([...forbiddenIn().values()].flatMap((checkers) => [...checkers]))
  const without = catalog.map(({ example }) => example().name).filter((name) => !known.has(name))
  const [, sentence = ''] = /There are no mutants for([^]+?), whose options/.exec(page) ?? []
  const named = [...sentence.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
  expect(named.toSorted()).toEqual(without.map((name) => name.split(':')[0] ?? '').toSorted())
})
