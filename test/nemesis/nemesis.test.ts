import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DeclarationError, FaultError } from '../../src/errors.js'
import { describeNemesis } from '../../src/nemesis/describe.js'
import { inject } from '../../src/nemesis/inject.js'
import { nemesis } from '../../src/nemesis/nemesis.js'
import { fakeRun } from './fakes.js'

const loose = nemesis as unknown as (name: string, options: unknown) => unknown

describe('nemesis', () => {
  it('parts options from the schedule and the landing signals', () => {
    const sample = async () => 1
    const declared = nemesis('partition', {
      isolate: 'leader',
      at: '3s',
      for: 500,
      landing: [{ name: 'term', sample }],
      landWithin: '2s',
    })
    expect(declared.options).toEqual({ isolate: 'leader' })
    expect(declared.schedule).toEqual({ at: '3s', for: 500 })
    expect(declared.landing.map(({ name }) => name)).toEqual(['term'])
    expect(declared.landWithinMs).toBe(2_000)
    expect(declared.changeWithinMs).toBe(60_000)
    expect(nemesis('kill', { node: 'n1', changeWithin: '2m' }).changeWithinMs).toBe(120_000)
    const roll = { order: ['n1', 'n2'] }
    expect(nemesis('rolling-restart', roll).changeWithinMs).toBe(300_000)
    expect(nemesis('rolling-restart', { ...roll, changeWithin: '20m' }).changeWithinMs).toBe(1_200_000)
    expect(describeNemesis(declared)).toBe('partition isolate=leader at 3s for 500')
    expect(nemesis('kill', { node: 'n1' }).landWithinMs).toBe(5_000)
  })

  it.each([
    [
      'an unknown fault',
      'partiton',
      { isolate: 'n1' },
      /no such fault; did you mean 'partition'.*kill, stop/s,
    ],
    ['a name of every object', 'constructor', {}, /no such fault/],
    ['no options', 'kill', undefined, /expected an object of options/],
    ['a missing node', 'kill', {}, /expected a node name/],
    ['a misspelt option', 'kill', { node: 'n1', whenn: 1 }, /whenn/],
    [
      'two shapes',
      'partition',
      { isolate: 'n1', groups: [['n1'], ['n2']] },
      /exactly one of.*groups and isolate/,
    ],
    ['no shape', 'partition', {}, /exactly one of.*got none/],
    ['a single group', 'partition', { groups: [['n1']] }, /two groups or more/],
    ['a minority without split', 'partition', { isolate: 'n1', minority: 'n2' }, /goes with split/],
    ['half a direction', 'latency', { from: 'n1', delay: '50ms' }, /from and to go together/],
    ['a minority of halves', 'partition', { split: 'halves', minority: 'n1' }, /goes with split/],
    ['another shape', 'partition', { shape: 'star' }, /ring/],
    ['no share', 'packet-loss', { on: 'n1', share: 0 }, /a share above 0, such as 0.2/],
    ['a share in percent', 'packet-loss', { on: 'n1', share: 20 }, /0.2 is 20%/],
    ['two aims', 'packet-loss', { on: 'n1', between: ['n1', 'n2'], share: 0.2 }, /exactly one of on/],
    ['no rate', 'bandwidth', { on: 'n1', rate: 'slow' }, /such as '1mbit' or '500kbit'/],
    ['too low a rate', 'bandwidth', { on: 'n1', rate: '10bit' }, /1 kbit a second or more/],
    ['no delay', 'latency', { on: 'n1' }, /delay/],
    ['a bad duration', 'latency', { on: 'n1', delay: '5 minutes' }, /is not a duration/],
    ['a bad time', 'kill', { node: 'n1', at: 'noon' }, /nemesis\('kill'\)\.at: "noon" is not a duration/],
    ['a bad wait', 'kill', { node: 'n1', landWithin: -1 }, /landWithin/],
    ['a bad limit', 'kill', { node: 'n1', changeWithin: 'long' }, /changeWithin/],
    [
      'a bad landing signal',
      'kill',
      { node: 'n1', landing: [{ name: 'term' }] },
      /landing.*expected a function/s,
    ],
    ['an end for what ends by itself', 'restart', { node: 'n1', for: '1s' }, /ends by itself/],
  ])('refuses %s at the declaration', (_, name, options, message) => {
    expect(() => loose(name, options)).toThrow(message)
    expect(() => loose(name, options)).toThrow(DeclarationError)
  })

  it('checks option types at compile time', () => {
    // @ts-expect-error a kill has no groups
    expect(() => nemesis('kill', { groups: [['n1'], ['n2']] })).toThrow(DeclarationError)
    // @ts-expect-error there is no such fault
    expect(() => nemesis('kil', { node: 'n1' })).toThrow(DeclarationError)
  })
})

describe('nemesis.define', () => {
  const reading = { subject: 'n1', signal: 'bits', before: 0, after: 1, at: 1 }
  const good = {
    target: 'n1',
    mechanism: 'write',
    affects: ['n1'],
    evidence: async () => [
      { side: 'injector' as const, ...reading },
      { side: 'victim' as const, ...reading },
    ],
    heal: async () => [],
  }

  it("makes a typed fault of the user's own that is injected like any other", async () => {
    const flip = nemesis.define({
      name: 'read-only',
      category: 'storage',
      options: z.strictObject({ node: z.string() }),
      inject: async (context) => {
        context.injecting()
        return good
      },
    })
    expect(() => flip({ node: 1 } as never)).toThrow(/nemesis\('read-only'\)/)
    const fault = await inject(flip({ node: 'n1', at: '1s' }), fakeRun().context, { id: 'F1' })
    expect(fault.landed).toBe(true)
    expect((await fault.heal()).fault).toBe('read-only')
  })

  it.each([
    ['nothing', undefined, /read-only: inject\(\) returned something else.*expected object/s],
    ['no target', { ...good, target: '' }, /inject\(\).*target/s],
    ['no way back', { ...good, heal: undefined }, /inject\(\).*heal/s],
  ])('names what is wrong when inject returns %s', async (_, returned, message) => {
    const flip = nemesis.define({
      name: 'read-only',
      category: 'storage',
      inject: async () => returned as never,
    })
    const refused = inject(flip({}), fakeRun().context, { id: 'F1' })
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toBeInstanceOf(FaultError)
  })

  it('names the field when the evidence is malformed', async () => {
    const evidence = async () => [{ side: 'nobody', ...reading }] as never
    const flip = nemesis.define({
      name: 'read-only',
      category: 'storage',
      inject: async () => ({ ...good, evidence }),
    })
    const fault = await inject(flip({ landWithin: 50 }), fakeRun().context, { id: 'F1' })
    expect(fault.window.cause).toMatch(/read-only: evidence\(\).*side/s)
  })

  it('refuses an incomplete definition and a name that is taken', () => {
    expect(() => nemesis.define({ name: 'kill', category: 'process', inject: async () => good })).toThrow(
      /built-in/,
    )
    expect(() => nemesis.define({ name: 'Bit Flip', category: 'storage', inject: async () => good })).toThrow(
      /lower case/,
    )
    expect(() => nemesis.define({ name: 'x', category: 'storage' } as never)).toThrow(/inject/)
  })
})
