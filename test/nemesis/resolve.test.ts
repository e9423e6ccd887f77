import { describe, expect, it } from 'vitest'
import { FaultError } from '../../src/errors.js'
import { resolveTarget, type ResolveContext } from '../../src/nemesis/resolve.js'
import { Random } from '../../src/random/random.js'

const five = ['n1', 'n2', 'n3', 'n4', 'n5']

function context(more: Partial<ResolveContext> = {}): ResolveContext {
  return {
    nodes: five,
    roles: { leader: async () => ['n2'] },
    random: new Random(7),
    roleWithinMs: 200,
    ...more,
  }
}

describe('resolveTarget', () => {
  it('passes node names through in the order of the system, each once', async () => {
    expect(await resolveTarget(['n3', 'n1', 'n3'], context())).toEqual(['n1', 'n3'])
    expect(await resolveTarget('n4', context())).toEqual(['n4'])
  })

  it('asks roles when it is called, and takes others to be all but the leader', async () => {
    expect(await resolveTarget('leader', context())).toEqual(['n2'])
    expect(await resolveTarget('others', context())).toEqual(['n1', 'n3', 'n4', 'n5'])
  })

  it('takes others to be what the other side leaves over', async () => {
    expect(await resolveTarget('others', context({ apart: ['n1', 'n5'] }))).toEqual(['n2', 'n3', 'n4'])
  })

  it('draws from the seed: the same seed the same nodes, and never from the other side', async () => {
    const drawn = async (seed: number) =>
      Promise.all(
        ['random', 'majority', 'minority'].map((name) =>
          resolveTarget(name, context({ random: new Random(seed) })),
        ),
      )
    expect(await drawn(1)).toEqual(await drawn(1))
    const [random, majority, minority] = await drawn(1)
    expect([random?.length, majority?.length, minority?.length]).toEqual([1, 3, 2])
    for (let seed = 0; seed < 20; seed++) {
      expect(
        await resolveTarget('random', context({ random: new Random(seed), apart: ['n1', 'n2'] })),
      ).not.toContain('n1')
    }
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, seed) => resolveTarget('random', context({ random: new Random(seed) }))),
    )
    expect(new Set(all.flat()).size).toBeGreaterThan(2)
  })

  it('passes clients through', async () => {
    expect(await resolveTarget(['clients', 'n1'], context())).toEqual(['n1', 'clients'])
  })

  it('waits for a role that nobody has yet', async () => {
    let calls = 0
    const leader = async () => (++calls < 3 ? [] : ['n5'])
    expect(await resolveTarget('leader', context({ roles: { leader }, roleWithinMs: 5_000 }))).toEqual(['n5'])
  })

  it.each([
    ['that nobody has', async () => [], /no leader right now.*answered nobody/s],
    [
      'that throws',
      async () => Promise.reject(new Error('ECONNREFUSED')),
      /no leader right now.*ECONNREFUSED/s,
    ],
    ['that hangs', () => new Promise<readonly string[]>(() => {}), /no leader right now.*did not answer/s],
    ['that names a stranger', async () => ['n9'], /'n9', which is no node/],
  ])('refuses a role %s', async (_, leader, message) => {
    const refused = resolveTarget('leader', context({ roles: { leader } }))
    await expect(refused).rejects.toThrow(message)
    await expect(refused).rejects.toBeInstanceOf(FaultError)
  })

  it('names the closest word and lists nodes and roles for an unknown name', async () => {
    await expect(resolveTarget('leder', context())).rejects.toThrow(
      /did you mean 'leader'.*nodes: n1.*roles: leader/s,
    )
  })

  it('refuses others without a leader role, and a draw from too few', async () => {
    await expect(resolveTarget('others', context({ roles: {} }))).rejects.toThrow(/no role 'leader'/)
    await expect(resolveTarget('majority', context({ apart: ['n1', 'n2', 'n3'] }))).rejects.toThrow(
      /3 of 2 free/,
    )
    await expect(resolveTarget('minority', context({ nodes: ['n1'], roles: {} }))).rejects.toThrow(
      /means no node/,
    )
  })
})
