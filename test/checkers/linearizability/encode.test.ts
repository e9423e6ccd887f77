import { expect, test } from 'vitest'
import { partsOf } from '../../../src/checkers/linearizability/encode.js'
import { never, registerKind } from '../../../src/checkers/linearizability/part.js'
import { columnsOf } from '../../../src/history/columns-builder.js'
import type { Model, ObjectEncoding } from '../../../src/models/model.js'
import { register } from '../../../src/models/register.js'
import { operation } from '../operation.js'

const { object: _, ...plain } = register()
const encoded: Model = {
  ...plain,
  object: {
    type: 'register',
    encode({ type, input, output }, codes) {
      if (type === 'read') codes.put(registerKind.read, codes.idOf(output), 0)
      else if (input === 'odd') return false
      else codes.put(registerKind.write, codes.idOf(input), 0)
      return true
    },
  },
}

const write = (key: string, input: number | string, at: [number, number | null]) =>
  operation({ op_type: 'write', key, input, at })
const read = (key: string, output: number, at: [number, number | null]) =>
  operation({ op_type: 'read', key, output, at })

test('gives every object ranks and value ids of its own, the initial value first', () => {
  const history = [
    write('x', 70_000, [0, 5]),
    write('y', 9, [1, 2]),
    read('x', 70_000, [5, 6]),
    write('y', 70_000, [3, null]),
    read('y', 9, [4, null]),
  ]
  const { parts, consumed } = partsOf(columnsOf(history), encoded)
  expect(consumed).toBe(5)
  const [x, y] = parts.map((part) => ({
    ...part,
    kind: [...part.kind],
    a: [...part.a],
    invoke: [...part.invoke],
    complete: [...part.complete],
    source: [...part.source],
  }))
  // The write and the read touch at 5: the call comes first, so that they are concurrent.
  expect(x).toMatchObject({ key: 'x', kind: [1, 0], a: [1, 1], invoke: [0, 1], complete: [2, 3], values: 2 })
  // Columns are in order of invocation, and the read of unknown outcome is left out.
  expect(y).toMatchObject({
    key: 'y',
    a: [1, 2],
    invoke: [0, 2],
    complete: [1, never],
    source: [1, 2],
    events: 3,
  })
})

test('hands over whole objects of which an operation has no words', () => {
  const history = [
    write('x', 1, [0, 1]),
    write('y', 2, [2, 3]),
    write('x', 'odd', [4, 5]),
    read('y', 2, [6, 7]),
    write('z', 3, [8, 9]),
  ]
  const { parts, inexpressible } = partsOf(columnsOf(history), encoded)
  expect(inexpressible).toEqual([{ key: 'x', operations: [0, 2] }])
  expect(
    parts.map(({ key, a, invoke, source }) => ({ key, a: [...a], invoke: [...invoke], source: [...source] })),
  ).toEqual([
    { key: 'y', a: [1, 1], invoke: [0, 2], source: [1, 3] },
    { key: 'z', a: [1], invoke: [0], source: [4] },
  ])
})

test('tries another type of object where one has no words', () => {
  const otherwise: ObjectEncoding = {
    type: 'set',
    encode(_operation, codes) {
      codes.put(2, 7, 0)
      return true
    },
  }
  const both: Model = { ...encoded, object: { ...encoded.object!, otherwise } }
  const history = [write('x', 1, [0, 1]), write('y', 2, [2, 3]), write('x', 'odd', [4, 5])]
  const { parts, inexpressible } = partsOf(columnsOf(history), both)
  expect(inexpressible).toEqual([])
  expect(parts.map(({ object, source, a }) => [object, [...source], [...a]])).toEqual([
    ['set', [0, 2], [7, 7]],
    ['register', [1], [1]],
  ])
})

test('splits by element unless an operation concerns several', () => {
  const bySize: Model = {
    ...encoded,
    object: { ...encoded.object!, element: ({ input, output }) => (input === 0 ? null : (input ?? output)) },
  }
  const history = [write('x', 1, [0, 1]), write('x', 2, [2, 3]), read('x', 1, [4, 5])]
  expect(partsOf(columnsOf(history), bySize).parts.map(({ source }) => [...source])).toEqual([[0, 2], [1]])
  const joint = [...history, write('x', 0, [6, 7])]
  expect(partsOf(columnsOf(joint), bySize).parts.map(({ source }) => [...source])).toEqual([[0, 1, 2, 3]])
})

test('leaves out failed operations unless they are observed, and types that the model does not know', () => {
  const failed = { ...write('x', 1, [0, 1]), error: 'refused' }
  const history = [failed, operation({ op_type: 'scan', key: 'x', at: [2, 3] }), write('x', 2, [4, 5])]
  const ignoring = partsOf(columnsOf(history), encoded)
  expect(ignoring.parts.map(({ source }) => [...source])).toEqual([[2]])
  expect(ignoring).toMatchObject({ consumed: 2, foreignTypes: ['scan'] })
  const observing = { ...encoded, semantics: { ...encoded.semantics, failed: 'observed' as const } }
  expect(partsOf(columnsOf(history), observing).parts.map(({ source }) => [...source])).toEqual([[0, 2]])
})

test('without an encoding everything is to be searched', () => {
  const { parts, inexpressible } = partsOf(columnsOf([write('x', 1, [0, 1])]), plain)
  expect(parts).toEqual([])
  expect(inexpressible).toEqual([{ key: 'x', operations: [0] }])
})
