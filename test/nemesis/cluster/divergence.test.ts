import { describe, expect, it } from 'vitest'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { FakeCluster, rows } from './fake-cluster.js'

const mixed = (cluster: FakeCluster, more: object = {}) =>
  nemesis('mixed-version', {
    node: 'n2',
    upgrade: cluster.set('2.0'),
    version: cluster.read,
    downgrade: cluster.set('1.0'),
    landWithin: 100,
    ...more,
  })

describe('mixed-version and config-divergence', () => {
  it('land when the node reports something else than before and than the others', async () => {
    const cluster = new FakeCluster('1.0')
    const fault = await cluster.inject(mixed(cluster))
    expect(fault.window).toMatchObject({ landed: true, target: 'n2', mechanism: 'hook upgrade()' })
    expect(rows(fault.window.evidence)).toEqual([
      expect.stringMatching(/^injector n2 hook upgrade\(\): null -> done in \d+ ms$/),
      'victim n1 version it reports: 1.0 -> 1.0',
      'victim n2 version it reports: 1.0 -> 2.0',
      'victim n3 version it reports: 1.0 -> 1.0',
    ])
    const { healed } = await fault.heal()
    await fault.heal()
    expect(rows(healed)[1]).toBe('victim n2 version it reports: 2.0 -> 1.0')
    expect(cluster.log).toEqual(['n2 = 2.0', 'n2 = 1.0'])
  })

  it('are lost when the node goes back by itself', async () => {
    const cluster = new FakeCluster('1.0')
    const fault = await cluster.inject(mixed(cluster))
    // As a restart does to a setting that was made while the node ran.
    cluster.says.set('n2', '1.0')
    await fault.heal()
    expect(fault.window).toMatchObject({
      landed: false,
      cause: 'it was not in place any more when it was to be healed: n2 reports 1.0 again',
    })
  })

  it('do not land when the node stays what it was', async () => {
    const cluster = new FakeCluster('1.0')
    const fault = await cluster.inject(mixed(cluster, { upgrade: () => 'ok' }))
    expect(fault.window.cause).toMatch(/^n2 still reports 1\.0 after upgrade\(\); waited/)
    await fault.heal()
  })

  it('do not land when all nodes report the same', async () => {
    const cluster = new FakeCluster('1.0')
    const fault = await cluster.inject(mixed(cluster, { node: 'all' }))
    expect(fault.window.cause).toMatch(/^all nodes report 2\.0; waited/)
    await fault.heal()
    expect([...cluster.says.values()]).toEqual(['1.0', '1.0', '1.0'])
  })

  it('wait until the node reports its old state', async () => {
    const cluster = new FakeCluster('1.0')
    const downgrade = () => void setTimeout(() => cluster.says.set('n2', '1.0'), 150)
    const fault = await cluster.inject(mixed(cluster, { downgrade }))
    const { healed } = await fault.heal()
    expect(cluster.says.get('n2')).toBe('1.0')
    expect(rows(healed)[1]).toBe('victim n2 version it reports: 2.0 -> 1.0')
  })

  it('say so when the node cannot be put back, and try again', { timeout: 30_000 }, async () => {
    const cluster = new FakeCluster('1.0')
    let broken = true
    const restore = cluster.set('1.0')
    const fault = await cluster.inject(
      nemesis('config-divergence', {
        node: 'n1',
        apply: cluster.set('{"limit":1}'),
        read: cluster.read,
        restore: (given) => {
          if (broken) throw new Error('read-only file system')
          restore(given)
        },
      }),
    )
    expect(fault.landed).toBe(true)
    await expect(fault.heal()).rejects.toThrow(
      /F1 config-divergence: could not be undone: config-divergence: restore\(\) on n1: read-only file system/,
    )
    broken = false
    expect(rows((await fault.heal()).healed)).toContain(
      'victim n1 configuration it reports: {"limit":1} -> 1.0',
    )
  })

  it('put back what was changed when a later node cannot be', async () => {
    const cluster = new FakeCluster('a')
    const change = cluster.set('b')
    const refused = cluster.inject(
      nemesis('config-divergence', {
        node: ['n1', 'n3'],
        apply: (given) => {
          if (given.node.name === 'n3') throw new Error('refused')
          change(given)
        },
        read: cluster.read,
        restore: cluster.set('a'),
      }),
    )
    await expect(refused).rejects.toThrow(
      /could not be put in place: config-divergence: apply\(\) on n3: refused/,
    )
    expect(cluster.log).toEqual(['n1 = b', 'n3 = a', 'n1 = a'])
  })

  it('want hooks and a reading', async () => {
    const cluster = new FakeCluster('1.0')
    expect(() => nemesis('mixed-version', { node: 'n1', upgrade: 'v2' } as never)).toThrow(
      /expected a function: the hook by which the system is driven/,
    )
    await expect(cluster.inject(mixed(cluster, { version: () => undefined }))).rejects.toThrow(
      /version\(\) on n1 answered undefined: expected a number or a text/,
    )
    expect(cluster.log).toEqual([])
  })
})

describe('rolling-upgrade', () => {
  const upgrade = (cluster: FakeCluster, more: object = {}) =>
    nemesis('rolling-upgrade', {
      order: 'followers-first',
      upgrade: cluster.set('2.0'),
      version: cluster.read,
      landWithin: 100,
      ...more,
    })

  it('upgrades every node in its order, waits for each, and goes back in reverse', async () => {
    const cluster = new FakeCluster('1.0')
    const waited: string[] = []
    const fault = await cluster.inject(
      upgrade(cluster, {
        downgrade: cluster.set('1.0'),
        wait: ({ node }: { node: { name: string } }) => waited.push(node.name) > 0,
      }),
    )
    expect(fault.window).toMatchObject({ landed: true, cause: null })
    expect(rows(fault.window.evidence)).toEqual(
      expect.arrayContaining([
        'injector n2 turn in which it was upgraded: null -> 1 of 3, a follower then',
        'injector n1 turn in which it was upgraded: null -> 3 of 3, the leader then',
        'victim n1 version it reports: 1.0 -> 2.0',
      ]),
    )
    expect(waited).toEqual(['n2', 'n3', 'n1'])
    await fault.heal()
    expect(cluster.log).toEqual(['n2 = 2.0', 'n3 = 2.0', 'n1 = 2.0', 'n1 = 1.0', 'n3 = 1.0', 'n2 = 1.0'])
  })

  it('does not land while a node reports the old version', async () => {
    const cluster = new FakeCluster('1.0')
    const fault = await cluster.inject(upgrade(cluster, { order: ['n1', 'n2'] }))
    expect(fault.window.cause).toMatch(/^n3 still reports 1\.0/)
    await fault.heal()
  })

  it('leaves the nodes upgraded without a way back', async () => {
    const cluster = new FakeCluster('1.0')
    const fault = await cluster.inject(upgrade(cluster))
    expect(rows((await fault.heal()).healed)).toContain('victim n3 version it reports: 1.0 -> 2.0')
    expect(cluster.log).toEqual(['n2 = 2.0', 'n3 = 2.0', 'n1 = 2.0'])
  })
})
