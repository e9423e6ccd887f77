import { expect, it } from 'vitest'
import { quorumOf } from '../../../examples/quorum-register/src/quorum.js'

const never = new Promise<string>(() => {})

it('answers with the first ones and does not wait for a replica that is silent', async () => {
  const answers = [never, Promise.resolve('b'), Promise.resolve('c')]
  expect(await quorumOf(answers, 2, 'no-quorum')).toEqual(['b', 'c'])
})

it('gives up as soon as too few are left', async () => {
  const answers = [never, Promise.reject(new Error('n2 is gone')), Promise.reject(new Error('n3 is gone'))]
  await expect(quorumOf(answers, 2, 'not-confirmed')).rejects.toMatchObject({
    code: 'not-confirmed',
    message: '2 of 3 replicas are needed: n2 is gone; n3 is gone',
  })
})
