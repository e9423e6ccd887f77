import { expect, test } from 'vitest'
import { engineAt, runLabel } from '../../../src/systems/docker/engine.js'
import { removeDockerRun, unpauseContainer } from '../../../src/systems/docker/remove.js'
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
    const removing = removeDockerRun(containers.run, null)
    const engine = await engineAt(null)
    const { Image: image } = await engine.getContainer(`nemesis-${containers.run}-n1`).inspect()
    await new Promise((resolve) => setTimeout(resolve, 250))
    const late = await engine.createContainer({ Image: image, Labels: { [runLabel]: containers.run } })
    await removing
    expect(await leftOf(containers.run)).toEqual([])
    await expect(late.inspect()).rejects.toThrow(/404/)
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
      expect(await two.lifecycle.probe('n1', 1_000)).toBe('answers')
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

  test('leaves no process of a delay behind', async () => {
    const containers = await startContainers()
    await containers.network.delay([{ from: 'n1', to: 'n2' }], 50, 0)
    await containers.stop()
    expect(await cli('ps', '-aq', '--filter', `label=nemesis.run=${containers.run}`)).toBe('')
    expect(await processesOf(containers.run)).toEqual([])
  })
})

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
