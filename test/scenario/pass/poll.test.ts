import { expect, test } from 'vitest'
import { poll, withDeadline } from '../../../src/scenario/pass/poll.js'

const never = new AbortController().signal

test('asks until the answer is neither false nor null nor undefined', async () => {
  const answers = [false, null, undefined, 0]
  const polled = await poll(() => answers.shift() as number | null, {
    timeoutMs: 5_000,
    everyMs: 1,
    signal: never,
  })
  expect(polled).toMatchObject({ done: true, value: 0 })
})

test('an error means not yet, and the last one is told', async () => {
  const refuse = () => Promise.reject(new Error('no leader'))
  expect(await poll(refuse, { timeoutMs: 30, everyMs: 5, signal: never })).toMatchObject({
    done: false,
    last: 'no leader',
  })
})

test('a question that hangs ends with the time', async () => {
  const polled = await poll(() => new Promise<boolean>(() => undefined), { timeoutMs: 30, signal: never })
  expect(polled).toMatchObject({ done: false })
  expect((polled as { last: string }).last).toMatch(/no answer within/)
})

test('cancelling ends the wait at once', async () => {
  const controller = new AbortController()
  const polling = poll(() => false, { timeoutMs: 60_000, signal: controller.signal })
  controller.abort()
  expect(await polling).toMatchObject({ done: false, last: 'the run was cancelled' })
})

test('work in time keeps its result, its error, and leaves the signal alone', async () => {
  await expect(withDeadline(() => 5, 1_000, never)).resolves.toBe(5)
  const broken = () => {
    throw new TypeError('broken')
  }
  await expect(withDeadline(broken, 1_000, never)).rejects.toThrow('broken')
})
