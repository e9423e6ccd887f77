import { expect, test } from 'vitest'
import { JepsenEvents } from '../../src/history/jepsen.js'

const faultsOf = (...events: object[]) => {
  const reader = new JepsenEvents()
  for (const event of events) expect(reader.add(event)).toBeNull()
  return reader.finish().faults
}
const nemesis = (type: string, f: string, rest: object = {}) => ({ process: 'nemesis', type, f, ...rest })
const write = (type: string, time?: number) => ({
  process: 0,
  type,
  f: 'write',
  value: 1,
  ...(time !== undefined && { time }),
})

test('a fault lasts from the invocation of the nemesis to its completion', () => {
  expect(
    faultsOf(
      nemesis('invoke', 'slow', { value: { node: 'n2' }, time: 5 }),
      write('invoke', 1),
      write('ok', 9),
      nemesis('info', 'slow', { time: 8 }),
      nemesis('invoke', 'kill', { time: 12 }),
    ),
  ).toEqual([
    { epoch: 'F1', name: 'slow {"node":"n2"}', start: 5, end: 8 },
    { epoch: 'F2', name: 'kill', start: 12, end: null },
  ])
})

test('without times it lies between the events', () => {
  expect(faultsOf(write('invoke'), nemesis('invoke', 'kill'), write('ok'), nemesis('ok', 'kill'))).toEqual([
    { epoch: 'F1', name: 'kill', start: 1, end: 3 },
  ])
})

test('what does not say that it begins something is no fault', () => {
  expect(
    faultsOf(nemesis('info', 'partition'), write('invoke'), write('ok'), nemesis('info', 'heal')),
  ).toEqual([])
})
