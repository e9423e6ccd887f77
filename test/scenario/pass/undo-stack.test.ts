import { expect, test } from 'vitest'
import { UndoStack } from '../../../src/scenario/pass/undo-stack.js'

test('takes back the last thing first, all of them, and throws the first error at the end', async () => {
  const done: string[] = []
  const undos = new UndoStack()
  undos.push(() => done.push('first'))
  undos.push(() => Promise.reject(new Error('cannot stop')))
  undos.push(async () => {
    await Promise.resolve()
    done.push('last')
  })
  await expect(undos.unwind()).rejects.toThrow('cannot stop')
  expect(done).toEqual(['last', 'first'])
  await undos.unwind()
  expect(done).toEqual(['last', 'first'])
})
