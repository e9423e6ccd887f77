import { expect, it } from 'vitest'
import { hiddenRetries } from '../../src/checkers/hidden-retries.js'
import { columnsOf } from '../../src/history/columns-builder.js'
import { operation } from './operation.js'

const write = (input: number, at: number) =>
  operation({ op_type: 'write', key: 'x', input, at: [at, at + 1] })

it('names what the server saw more often than the clients', () => {
  const recorded = columnsOf([
    write(1, 0),
    write(2, 2),
    operation({ op_type: 'read', output: 1, at: [4, 5] }),
  ])
  const audit = columnsOf([write(1, 0), write(2, 2), write(2, 4)])
  expect(hiddenRetries(recorded, audit)).toEqual([
    'the audit saw write(2) of key "x" 2 times, and clients recorded it 1 times',
    expect.stringContaining('turn off the retries'),
  ])
})

it('says nothing when clients recorded everything, also what the server never got', () => {
  expect(hiddenRetries(columnsOf([write(1, 0), write(2, 2)]), columnsOf([write(1, 0)]))).toEqual([])
})

it('names three and counts the rest', () => {
  const audit = columnsOf([1, 2, 3, 4, 5].map((value) => write(value, value * 2)))
  const told = hiddenRetries(columnsOf([]), audit)
  expect(told).toHaveLength(5)
  expect(told[3]).toBe('… and 2 more')
})
