import { describe, expect, it } from 'vitest'
import { DeclarationError } from '../../../src/errors.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { describePlan } from '../../../src/nemesis/schedule/describe.js'
import { faultsIn, lengthMs } from '../../../src/nemesis/schedule/plan.js'

const kill = nemesis('kill', { node: 'random' })
const short = nemesis('kill', { node: 'n1', at: '1s', for: '2s' })
const event = () => true

describe('what is declared', () => {
  it('is said in words', () => {
    const plan = nemesis.sequence(
      nemesis.overlap(short, nemesis('restart', { node: 'n2', every: '5s', until: '20s' })),
      nemesis('pause', { node: 'leader', until: event }),
      nemesis.random({ kinds: [kill, nemesis('partition', { isolate: 'leader' })], at: '2s', seed: 4 }),
      { pause: '1s' },
    )
    expect(describePlan(plan)).toBe(
      'in sequence (together (kill node=n1 at 1s for 2s | restart node=n2 every 5s until 20s), ' +
        'after 1.0 s pause node=leader until an event, ' +
        'after 1.0 s random (kill node=random | partition isolate=leader; ' +
        '1 at once, quorum kept, 2.0 s quiet, each for 1.0 s to 5.0 s, seed 4) at 2s)',
    )
    expect(faultsIn(plan).map(({ definition }) => definition.name)).toEqual([
      'kill',
      'restart',
      'pause',
      'kill',
      'partition',
    ])
  })

  it('says how long the workload must be', () => {
    expect(lengthMs(short)).toBe(3_000)
    expect(lengthMs(nemesis('kill', { node: 'n1', at: '1s', until: '9s' }))).toBe(9_000)
    expect(lengthMs(nemesis.overlap(short, nemesis('kill', { node: 'n2', at: '7s' })))).toBe(7_000)
    // Between the steps of a sequence a fault lands, and a node starts again.
    expect(lengthMs(nemesis.sequence(short, short, { pause: '1s' }))).toBe(3_000 + 1_000 + 2_000 + 3_000)
    expect(lengthMs(nemesis.random({ kinds: [kill] }))).toBe(0)
    expect(lengthMs(nemesis.random({ kinds: [kill], until: '60s' }))).toBe(60_000)
  })
})

describe('a declaration is refused', () => {
  it.each([
    [
      'a period without an end of the fault',
      () => nemesis('kill', { node: 'n1', every: '5s' }),
      /cannot come again every 5s.*shorter/s,
    ],
    [
      'a stay longer than the period',
      () => nemesis('kill', { node: 'n1', for: '5s', every: '5s' }),
      /stays for 5s/,
    ],
    [
      'an end before the beginning',
      () => nemesis('kill', { node: 'n1', at: '5s', until: '5s' }),
      /ends at 5000 ms, before it begins/,
    ],
    [
      'an end that is no time',
      () => nemesis('kill', { node: 'n1', until: 'noon' as never }),
      /until: "noon" is not a duration/,
    ],
    ['an endless step', () => nemesis.sequence(kill, short), /step 1 has no end/],
    [
      'an endless step inside another',
      () => nemesis.sequence(nemesis.overlap(short, kill), short),
      /step 1 has no end/,
    ],
    [
      'an endless random step',
      () => nemesis.sequence(nemesis.random({ kinds: [kill] }), short),
      /step 1 has no end/,
    ],
    [
      'an endless repetition',
      () => nemesis.sequence(nemesis('restart', { node: 'n1', every: '1s' }), short),
      /step 1 has no end/,
    ],
    ['an empty sequence', () => nemesis.sequence(), /expected a fault/],
    ['an unknown option', () => nemesis.sequence(short, { pauses: '1s' } as never), /pauses/],
    ['something that is no fault', () => nemesis.overlap(short, 'kill' as never), /expected nemesis/],
    ['no kinds', () => nemesis.random({ kinds: [] }), /expected a fault to draw/],
    [
      'a sequence as a kind',
      () => nemesis.random({ kinds: [nemesis.sequence(short) as never] }),
      /expected nemesis/,
    ],
    ['a kind with a time', () => nemesis.random({ kinds: [short] }), /kill has a time of its own/],
    [
      'lengths the wrong way round',
      () => nemesis.random({ kinds: [kill], for: ['5s', '1s'] }),
      /from 5000 ms down to 1000 ms/,
    ],
    ['no quiet', () => nemesis.random({ kinds: [kill], quiet: 0 }), /`quiet` is 0 ms/],
    ['no faults at once', () => nemesis.random({ kinds: [kill], maxOverlap: 0 }), /maxOverlap/],
  ])('%s', (_, declare, words) => {
    expect(declare).toThrow(DeclarationError)
    expect(declare).toThrow(words)
  })

  it('allows what is endless at the end of a sequence, and what an event ends before it', () => {
    expect(nemesis.sequence(nemesis('kill', { node: 'n1', until: event }), kill).steps).toHaveLength(2)
  })
})
