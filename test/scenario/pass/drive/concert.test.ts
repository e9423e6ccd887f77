import { expect, test } from 'vitest'
import { inConcert } from '../../../../src/scenario/pass/drive/concert.js'
import { sleep } from '../../../../src/time/sleep.js'

const never = new AbortController().signal

test('answers come in the order of the jobs', async () => {
  const answers = await inConcert(
    [async (signal) => (await sleep(20, signal), 'slow'), () => Promise.resolve(7)],
    never,
  )
  expect(answers).toEqual(['slow', 7])
})

test('the first failure aborts the others, and is thrown when they have ended', async () => {
  const ended: string[] = []
  const running = inConcert(
    [
      () => Promise.reject(new Error('first')),
      async (signal) => {
        await sleep(60_000, signal)
        ended.push('second')
        throw new Error('a consequence of the first')
      },
    ],
    never,
  )
  await expect(running).rejects.toThrow('first')
  expect(ended).toEqual(['second'])
})

test('an abort from outside reaches every job', async () => {
  const outside = new AbortController()
  const running = inConcert(
    [(signal) => sleep(60_000, signal), (signal) => sleep(60_000, signal)],
    outside.signal,
  )
  outside.abort()
  await expect(running).resolves.toEqual([undefined, undefined])
})
