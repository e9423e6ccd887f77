import { describe, expect, it } from 'vitest'
import { Aim, requireFree, requireWithin } from '../../../src/nemesis/schedule/targets.js'

function hitBy(...sides: readonly (readonly [names: readonly string[], apart: readonly string[]])[]) {
  const aim = new Aim()
  for (const [names, apart] of sides) aim.resolved(names, apart)
  return aim.hit
}

describe('the nodes that are not well under a fault', () => {
  it('are its targets', () => {
    expect(hitBy([['n1', 'n2'], []])).toEqual(['n1', 'n2'])
    expect(hitBy([['n1'], []], [['n1', 'n3'], []])).toEqual(['n1', 'n3'])
  })

  it('are those of the smaller sides when it has several', () => {
    expect(hitBy([['n1'], []], [['n2', 'n3'], ['n1']])).toEqual(['n1'])
    expect(hitBy([['n2', 'n3'], []], [['n1'], ['n2', 'n3']])).toEqual(['n1'])
    expect(
      hitBy(
        [['n1'], []],
        [['n2'], ['n1']],
        [
          ['n3', 'n4', 'n5'],
          ['n1', 'n2'],
        ],
      ),
    ).toEqual(['n1', 'n2'])
  })

  it('are those of one side when two are equal', () => {
    expect(
      hitBy(
        [['n1', 'n2'], []],
        [
          ['n3', 'n4'],
          ['n1', 'n2'],
        ],
      ),
    ).toEqual(['n3', 'n4'])
  })

  it('are none when it stands between clients and a node', () => {
    expect(hitBy([['clients'], []], [['n1'], ['clients']])).toEqual([])
  })
})

describe('the envelope', () => {
  const nodes = ['n1', 'n2', 'n3', 'n4', 'n5']

  it('has a majority well', () => {
    const within = (hit: readonly string[], taken: readonly string[], keepQuorum = true) =>
      requireWithin(hit, { nodes, taken, keepQuorum, oneByOne: false })
    expect(() => within(['n1', 'n2'], [])).not.toThrow()
    expect(() => within(['n1'], ['n2'])).not.toThrow()
    expect(() => within(['n1', 'n2'], ['n3'])).toThrow(
      'with n1, n2 gone, 2 of 5 nodes would be well, less than a majority',
    )
    expect(() => within(['n1', 'n2'], ['n3'], false)).not.toThrow()
    expect(() =>
      requireWithin(['n1', 'n2'], { nodes: nodes.slice(0, 4), taken: [], keepQuorum: true, oneByOne: false }),
    ).toThrow()
  })

  it('has a majority well while a fault takes one node after the other', () => {
    const rolling = (taken: readonly string[]) =>
      requireWithin(nodes, { nodes, taken, keepQuorum: true, oneByOne: true })
    expect(() => rolling([])).not.toThrow()
    expect(() => rolling(['n2'])).toThrow('another fault')
  })

  it('has no node that is the target of two faults', () => {
    expect(() => requireFree(['n1', 'n2'], ['n2'])).toThrow('n2 is the target of another fault')
    expect(() => requireWithin(['n2'], { nodes, taken: ['n2'], keepQuorum: false, oneByOne: false })).toThrow(
      'another fault',
    )
  })
})
