import { expect, it } from 'vitest'
import { writtenElsewhere } from '../../../src/findings/reduction/written-elsewhere.js'
import { operation } from '../../checkers/operation.js'

const add = (key: string, input: number, at: number) =>
  operation({ op_type: 'add', key, input, at: [at, at + 5] })
const operations = [add('acme', 1, 0), add('acme2', 2, 10), add('zoo', 3, 20), add('acme2', 4, 90)]
const read = (output: number[]) => operation({ op_type: 'read', key: 'acme', output, at: [50, 60] })

it('finds who wrote, on another key, what a read has no reason to answer', () => {
  const leaked = read([1, 2])
  expect(writtenElsewhere([leaked], [...operations, leaked])).toEqual([operations[1]])
})

it('has no use for what was written on the same key, or afterwards', () => {
  for (const seen of [read([1]), read([1, 4]), read([7])]) {
    expect(writtenElsewhere([seen], [...operations, seen])).toEqual([])
  }
})
