import { expect, it } from 'vitest'
import { inject } from '../../../src/nemesis/inject.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { requires } from '../../support/requirements.js'
import { fakeRun } from '../fakes.js'
import { outcome, spoilt } from '../relay-scenario.js'
import { relayContainers, relayProcesses } from '../relays.js'

const timeout = 120_000
/** A line that takes a server some tens of milliseconds to read, and seconds with a hundredth of a CPU. */
const heavy = { line: 'x'.repeat(2_000_000), timeout: '10s', seconds: 16 } as const
const slow = nemesis('slow-follower', {
  node: 'n2',
  by: 'cpu',
  cpus: 0.01,
  at: '500ms',
  for: '1s',
  landWithin: '15s',
})

requires(
  'linux',
  'root',
  'cpu',
)('slow-follower by CPU quota on processes', () => {
  const nodes = relayProcesses()

  it('is proven by the kernel and by clients that wait, and is taken back', { timeout }, async () => {
    const { verdict, window } = await outcome(nodes, slow, heavy)
    expect({ verdict, cause: window?.cause }).toEqual({ verdict: 'PASS-smoke', cause: null })
    expect(window?.mechanism).toMatch(/^CPU quota of a control group/)
    expect(window?.evidence[0]).toMatchObject({ side: 'injector', subject: 'n2', before: 0 })
    expect(Number(window?.evidence[0]?.after)).toBeGreaterThanOrEqual(3)
    expect(window?.healed).toMatchObject([
      { signal: 'CPU limit', before: expect.stringMatching(/^limited/) as string, after: 'none' },
    ])
  })

  it('does not count when the node needs less than it is given', { timeout }, async () => {
    const ample = nemesis('slow-follower', {
      node: 'n2',
      by: 'cpu',
      cpus: 4,
      at: '500ms',
      for: '1s',
      landWithin: '1s',
    })
    const { verdict, cause } = await outcome(nodes, ample)
    expect(verdict).toBe('INCONCLUSIVE-fault-not-proven')
    expect(cause).toMatch(/n2 used up its CPU time in \d periods so far: it needs less than it is given/)
  })
})

requires('docker', 'cpu')('slow-follower by CPU quota on containers', () => {
  const containers = relayContainers()
  const quotaOf = async (run: string): Promise<number> => {
    const { HostConfig: config } = await (await engineAt(null)).getContainer(`nemesis-${run}-n2`).inspect()
    return Math.max(0, config.CpuQuota ?? 0)
  }

  it('is proven by the kernel and by clients that wait, and is taken back', { timeout }, async () => {
    const quotas: number[] = []
    const watched = spoilt(containers, async (running, run) => ({
      stop: async () => {
        quotas.push(await quotaOf(run))
        await running.stop()
      },
    }))
    const { verdict, window } = await outcome(watched, slow, heavy)
    expect({ verdict, cause: window?.cause }).toEqual({ verdict: 'PASS-smoke', cause: null })
    expect(window?.mechanism).toBe('CPU quota of the container (Docker API: update)')
    expect(Number(window?.evidence[0]?.after)).toBeGreaterThanOrEqual(3)
    expect(quotas).toEqual([0])
  })

  it('is undone by what the journal holds, also twice', { timeout }, async () => {
    const seen: number[] = []
    const left = spoilt(containers, async (running, run) => {
      const limit = await running.lifecycle?.limitCpu?.('n2', 0.01)
      const { Id: container } = await (await engineAt(null)).getContainer(`nemesis-${run}-n2`).inspect()
      seen.push(await quotaOf(run))
      const undo = {
        kind: 'docker-cpu',
        container,
        host: null,
        before: { nano: 0, quotaUs: 0, periodUs: 0 },
      } as const
      for (const _ of [1, 2]) await applyUndo(undo)
      seen.push(await quotaOf(run))
      expect(await limit?.lost()).toBe('something else has changed the CPU limit of n2')
      await limit?.remove()
      return {}
    })
    await outcome(left, nemesis('pause', { node: 'n1', at: '500ms', for: '500ms' }))
    expect(seen).toEqual([1_000, 0])
  })
})

it('slow-follower by CPU quota says what is missing where there are no limits, and takes its own options only', async () => {
  const declared = nemesis('slow-follower', { node: 'n3', by: 'cpu' })
  await expect(inject(declared, fakeRun().context, { id: 'F1' })).rejects.toThrow(
    /no way to limit the CPU time of a node/,
  )
  expect(() => nemesis('slow-follower', { node: 'n3', cpus: 1 })).toThrow(/goes with by: 'cpu'/)
  expect(() => nemesis('slow-follower', { node: 'n3', by: 'cpu', delay: '70ms' })).toThrow(
    /goes with by: 'latency'/,
  )
})
