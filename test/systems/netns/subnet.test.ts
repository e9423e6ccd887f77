import { describe, expect, test } from 'vitest'
import { DeclarationError } from '../../../src/errors.js'
import { addressIn, cidrText, freeSubnets, parseCidr, type Cidr } from '../../../src/systems/netns/subnet.js'

const cidr = (text: string): Cidr => parseCidr(text) as Cidr

describe('a subnet of a run', () => {
  test('reads ranges and clears what is after the prefix', () => {
    expect(cidrText(cidr('10.213.7.9/16'))).toBe('10.213.0.0/16')
    expect(addressIn(cidr('10.213.7.0/24'), 2)).toBe('10.213.7.2')
    expect(addressIn(cidr('255.255.255.0/24'), 255)).toBe('255.255.255.255')
    expect(['10.213.0.0', '10.213.0.256/24', '10.0.0.0/33', 'fd00::/8'].map(parseCidr)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  test('leaves out what overlaps a network that is there, larger or smaller', () => {
    const used = [cidr('10.213.0.0/23'), cidr('10.213.3.64/28'), cidr('192.168.0.0/16')]
    const free = freeSubnets(cidr('10.213.0.0/22'), { used, hosts: 3, start: 0 }).map(cidrText)
    expect(free).toEqual(['10.213.2.0/24'])
  })

  test('begins somewhere else for another run', () => {
    const first = freeSubnets(cidr('10.213.0.0/16'), { used: [], hosts: 3, start: 700 })[0] as Cidr
    expect(cidrText(first)).toBe('10.213.188.0/24')
  })

  test('takes a small pool whole, and refuses one without room', () => {
    expect(freeSubnets(cidr('10.213.9.0/29'), { used: [], hosts: 5, start: 0 }).map(cidrText)).toEqual([
      '10.213.9.0/29',
    ])
    expect(() => freeSubnets(cidr('10.213.9.0/29'), { used: [], hosts: 6, start: 0 })).toThrow(
      DeclarationError,
    )
  })
})
