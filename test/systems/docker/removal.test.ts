import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import { engineAt, runLabel, type Engine } from '../../../src/systems/docker/engine.js'
import {
  removeDockerRun,
  runOf,
  sweepUntilEmpty,
  unpauseContainer,
} from '../../../src/systems/docker/remove.js'
import { requires } from '../../support/requirements.js'
import { cli, freshRun, leftOf, leftOfTests, startContainers } from './containers.js'

requires('docker', 'busybox')('removal by label', () => {
  test('takes away running, paused and ended containers, helpers and networks, and can be done again', async () => {
    const containers = await startContainers({ count: 3, enter: 'helper' })
    await containers.network.block([{ from: 'n1', to: 'n2' }], 'drop')
    await containers.network.delay([{ from: 'n1', to: 'n3' }], 50, 0)
    await containers.lifecycle.pause('n1')
    await containers.lifecycle.kill('n2')
    const removed = await removeDockerRun(containers.run, null)
    expect(removed).toEqual(
      expect.arrayContaining(['n1', 'n2', 'n3'].map((node) => `nemesis-${containers.run}-${node}`)),
    )
    expect(removed.filter((name) => name.startsWith('nemesis-helper-')).length).toBeGreaterThanOrEqual(1)
    expect(removed).toContain(`nemesis-${containers.run}`)
    expect(await leftOf(containers.run)).toEqual([])
    expect(await removeDockerRun(containers.run, null)).toEqual([])
    // The system's own stop finds everything gone and closes what it had journalled.
    await containers.stop()
    expect([...containers.open.keys()]).toEqual([])
  })

  test('catches a container that is made while it sweeps', async () => {
    const containers = await startContainers({ count: 1 })
    const engine = await engineAt(null)
    const { Image: image } = await engine.getContainer(`nemesis-${containers.run}-n1`).inspect()
    let late: string | null = null
    // The engine makes it right after a sweep has found nothing any more.
    const making = new Proxy(engine, {
      get(of, name) {
        if (name !== 'listContainers') return bound(of, name)
        return async (...how: Parameters<Engine['listContainers']>) => {
          const found = await engine.listContainers(...how)
          if (found.length === 0 && late === null) {
            const labels = { [runLabel]: containers.run }
            late = (await engine.createContainer({ Image: image, Labels: labels })).id
          }
          return found
        }
      },
    })
    await sweepUntilEmpty(making, runOf(containers.run), 2)
    expect(await leftOf(containers.run)).toEqual([])
    await expect(engine.getContainer(late ?? 'none').inspect()).rejects.toThrow(/404/)
    await containers.stop()
  })

  test('leaves another run alone; two runs at once have two subnets', async () => {
    const [one, two] = await Promise.all([startContainers({ count: 1 }), startContainers({ count: 1 })])
    try {
      const hosts = [one, two].map(({ node }) =>
        node('n1').address(7000).host.split('.').slice(0, 3).join('.'),
      )
      expect(new Set(hosts).size).toBe(2)
      await one.stop()
      expect(await leftOf(one.run)).toEqual([])
      // A container, its volume, and a network.
      expect(await leftOf(two.run)).toHaveLength(3)
      expect(await two.lifecycle.probe('n1', 20_000)).toBe('answers')
    } finally {
      await Promise.all([one.stop(), two.stop()])
    }
    expect(await leftOfTests()).toEqual([])
  })

  test('continues a paused container; one that runs or is gone is no error', async () => {
    const containers = await startContainers({ count: 1 })
    try {
      const name = `nemesis-${containers.run}-n1`
      await containers.lifecycle.pause('n1')
      await unpauseContainer(name, null)
      expect((await containers.lifecycle.state('n1')).status).toBe('running')
      await unpauseContainer(name, null)
    } finally {
      await containers.stop()
    }
    await unpauseContainer(`nemesis-${freshRun()}-n1`, null)
  })

  test('continues a container that is only paused when its run has died already', async () => {
    const containers = await startContainers({ count: 1 })
    const container = `nemesis-${containers.run}-n1`
    try {
      await expect
        .poll(
          async () => {
            const undoing = applyUndo({ kind: 'docker-unpause', container, host: null })
            await sleep(50)
            await cli('pause', container)
            // Too late to have been on its way: another try.
            if ((await Promise.race([undoing, sleep(0, 'under way')])) !== 'under way') {
              await cli('unpause', container)
              return 'late'
            }
            await undoing
            return (await containers.lifecycle.state('n1')).status
          },
          { timeout: 60_000 },
        )
        .toBe('running')
    } finally {
      await containers.stop()
    }
  })

  test('starts a container that was asked to end and takes its time', async () => {
    // Whoever is its first process ends half a second after it was asked to.
    const slow = ['sh', '-c', 'trap "sleep 0.5; exit 0" TERM; echo started; while :; do sleep 0.05; done']
    const containers = await startContainers({ count: 1, command: slow })
    const container = `nemesis-${containers.run}-n1`
    try {
      const { startedAt } = await containers.lifecycle.state('n1')
      const undo = {
        kind: 'docker-start',
        container,
        host: null,
        startedAt: startedAt as string,
        endsWithinMs: 30_000,
      } as const
      await cli('kill', '--signal', 'TERM', container)
      await applyUndo(undo)
      const now = await containers.lifecycle.state('n1')
      expect(now.status).toBe('running')
      expect(now.startedAt).not.toBe(startedAt)
      // Now it runs as it was started by the undo: nothing is waited for.
      const began = performance.now()
      await applyUndo(undo)
      expect(performance.now() - began).toBeLessThan(15_000)
    } finally {
      await containers.stop()
    }
  })

  test('leaves no process of a delay behind', async () => {
    const containers = await startContainers()
    await containers.network.delay([{ from: 'n1', to: 'n2' }], 50, 0)
    await containers.stop()
    expect(await cli('ps', '-aq', '--filter', `label=nemesis.run=${containers.run}`)).toBe('')
    expect(await processesOf(containers.run)).toEqual([])
  })
})

/** A member of the engine, which works on the engine itself also when it is called on a proxy. */
function bound(engine: Engine, name: string | symbol): unknown {
  const member: unknown = Reflect.get(engine, name)
  return typeof member === 'function' ? member.bind(engine) : member
}

/** Command lines of processes that carry the run's mark. */
async function processesOf(run: string): Promise<string[]> {
  const { readdir, readFile } = await import('node:fs/promises')
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(`NEMESIS_RUN=${run}`) ? [pid] : []
    }),
  )
  return marked.flat()
}
