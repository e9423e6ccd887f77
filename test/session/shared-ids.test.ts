import { expect, it } from 'vitest'
import { sharedIds } from '../../src/session/shared-ids.js'

const scenario = (id: string, name: string) => ({ id, name })

it('names the scenarios of one id, once', () => {
  const all = [scenario('S1', 'one'), scenario('S2', 'two'), scenario('S1', 'three'), scenario('S1', 'one')]
  expect(sharedIds(all)).toEqual([
    expect.stringMatching(/^S1 is the id of 2 scenarios \(one, three\): give each its own/),
  ])
})

it('says nothing when each has its own', () => {
  expect(sharedIds([scenario('S1/api', 'one > api'), scenario('S1/export', 'one > export')])).toEqual([])
})
