import { expect, test } from 'vitest'
import { address } from '../../src/systems/address.js'

test('an address reads as host and port, with brackets where the host has colons', () => {
  expect(`${address('127.0.0.1', 7000)}`).toBe('127.0.0.1:7000')
  expect([address('::1', 7000), address('n1', 1)].join()).toBe('[::1]:7000,n1:1')
})
