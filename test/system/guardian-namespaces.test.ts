import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { engineAt } from '../../src/systems/docker/engine.js'
import { ensureImage } from '../../src/systems/docker/images/ensure.js'
import { processStartTime } from '../../src/systems/process/start-time.js'
import { requires } from '../support/requirements.js'
import { cli, echoCommand, echoImage } from '../systems/docker/containers.js'
import { unusedSubnet } from '../systems/docker/unused-subnet.js'

const script = fileURLToPath(new URL('./guarded-namespaces-run.mjs', import.meta.url))
const undoneWithinMs = 5_000

interface Told {
  readonly guardian: number
  readonly journal: string
  readonly link: string
  readonly namespaces: readonly string[]
}

/** Starts the script, and resolves when its faults are in place. */
async function started(...args: string[]): Promise<{ told: Told; kill(): void }> {
  const state = await mkdtemp(join(tmpdir(), 'nemesis-guardian-'))
  onTestFinished(() => rm(state, { recursive: true, force: true }))
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NEMESIS_STATE_DIR: state },
  })
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  return { told: JSON.parse(value as string) as Told, kill: () => void child.kill('SIGKILL') }
}

async function guardianAtWork({ guardian, journal }: Told): Promise<string[]> {
  return [
    ...(existsSync(journal) ? ['journal'] : []),
    ...((await processStartTime(guardian)) === null ? [] : ['guardian']),
  ]
}

requires(
  'linux',
  'root',
  'nft',
  'busybox',
)('guardian of processes in namespaces', () => {
  it(
    'removes namespaces, links and processes within five seconds of kill -9',
    { timeout: 60_000 },
    async () => {
      const { told, kill } = await started('namespaces')
      expect(told.namespaces).toHaveLength(3)
      expect(existsSync(`/sys/class/net/${told.link}`)).toBe(true)
      kill()
      await expect
        .poll(
          async () => [
            ...(await guardianAtWork(told)),
            ...told.namespaces.filter((name) => existsSync(`/run/netns/${name}`)),
            ...(existsSync(`/sys/class/net/${told.link}`) ? ['link'] : []),
          ],
          { timeout: undoneWithinMs, interval: 100 },
        )
        .toEqual([])
    },
  )
})

requires(
  'docker',
  'root',
  'nft',
  'busybox',
)('guardian of adopted containers', () => {
  it(
    'leaves them running, and without a rule, within five seconds of kill -9',
    { timeout: 60_000 },
    async () => {
      const image = await ensureImage(await engineAt(null), echoImage)
      const network = `nemesis-test-${process.pid}-guarded`
      const names = ['a', 'b'].map((name) => `${network}-${name}`)
      await cli('network', 'create', '--subnet', (await unusedSubnet()).text, network)
      onTestFinished(async () => {
        await cli('rm', '-f', ...names)
        await cli('network', 'rm', network)
      })
      for (const name of names)
        await cli('run', '-d', '--network', network, '--name', name, image, ...echoCommand)
      const { told, kill } = await started('adopted', ...names)
      const states = () => Promise.all(names.map((name) => cli('inspect', '-f', '{{.State.Status}}', name)))
      expect(await states()).toEqual(['exited', 'paused'])
      kill()
      await expect
        .poll(async () => [...(await guardianAtWork(told)), ...(await states())], {
          timeout: undoneWithinMs,
          interval: 100,
        })
        .toEqual(['running', 'running'])
      for (const name of names) {
        const pid = await cli('inspect', '-f', '{{.State.Pid}}', name)
        const inside = ['-t', pid, '-n', 'nft', 'list', 'ruleset']
        const ruleset = execFileSync('nsenter', inside, { encoding: 'utf8', stdio: 'pipe' })
        expect(ruleset.toLowerCase()).not.toContain('nemesis')
      }
    },
  )
})
