import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { Random } from '../../src/random/random.js'
import { engineAt } from '../../src/systems/docker/engine.js'
import { ensureImage } from '../../src/systems/docker/images/ensure.js'
import { requires, type Requirement } from '../support/requirements.js'
import { cli, echoCommand, echoImage } from '../systems/docker/containers.js'
import { createNetwork } from '../systems/docker/unused-subnet.js'
import { calmDeadline } from './leftovers/calm-deadline.mjs'
import { processesWithChangedClock } from './leftovers/clocks.mjs'
import { rulesIn } from './leftovers/namespaces.mjs'
import { untilClean } from './leftovers/until-clean.mjs'
import { startGuardedRun, type GuardedRun } from './support/guarded-run.js'

const random = new Random(9)

interface Case {
  readonly system: string
  readonly work: string
  readonly disk?: unknown
  readonly trials: number
  readonly undoneWithinMs: number
  readonly needs: readonly Requirement[]
  /** What the runs hold when they are killed, taken together. */
  readonly holds: readonly RegExp[]
}

const rules = { work: 'rules and signals', trials: 1, undoneWithinMs: 5_000 }
const powerLosses = { work: 'power losses', undoneWithinMs: 15_000, holds: [/temporary nemesis-disks-/] }
const storage = { work: 'storage faults', undoneWithinMs: 15_000 }
const small = { disk: { size: '4m' }, holds: [/^mount /m] }
const process = { system: 'redis process', needs: ['root', 'redis', 'fuse', 'ext4', 'strace'] } as const
const container = { system: 'redis container', needs: [...process.needs, 'docker'] } as const

const cases: readonly Case[] = [
  {
    ...rules,
    system: 'echo containers',
    needs: ['docker', 'root', 'nft', 'busybox'],
    holds: [/^container .*\(paused\)/m, /^container .*\(exited\)/m, /^network /m, /^rule nemesis_/m],
  },
  {
    ...rules,
    system: 'echo processes in namespaces',
    needs: ['root', 'nft', 'busybox'],
    holds: [/^(namespace [^]*){3}/m, /^link nemesis/m, /^stopped node /m],
  },
  { ...process, ...powerLosses, disk: 'fuse', trials: 6 },
  { ...process, ...powerLosses, disk: 'loop', trials: 8 },
  { ...container, ...powerLosses, disk: 'fuse', trials: 2 },
  { ...container, ...powerLosses, disk: 'loop', trials: 2 },
  { ...process, ...storage, ...small, trials: 5 },
  { ...process, ...storage, holds: [/ \(redis-server /], trials: 3 },
  { ...container, ...storage, ...small, trials: 3 },
  { ...container, ...storage, holds: [/^container /m], trials: 2 },
]

for (const { trials, undoneWithinMs, needs, holds, ...how } of cases) {
  const disk = how.disk === undefined ? '' : `, disk ${JSON.stringify(how.disk)}`
  requires('linux', ...needs)(`the guardian of ${how.system}${disk}`, () => {
    it(`leaves nothing of ${how.work} after kill -9 at ${trials} moments`, { timeout: 900_000 }, async () => {
      const met: string[] = []
      for (let trial = 0; trial < trials; trial += 1) {
        const run = await startGuardedRun(how)
        const afterMs = random.int(0, 900)
        await sleep(afterMs)
        const last = trial === trials - 1
        await untilMet(last ? holds : [], async () => met.push(...(await run.look())), met)
        run.kill()
        await nothingLeft(run, { undoneWithinMs, afterMs })
      }
    })
  })
}

requires(
  'docker',
  'root',
  'nft',
  'busybox',
)('the guardian of adopted containers', () => {
  it.for([
    { work: 'rules and signals', trials: 1, holds: [/^exited/m, /^paused/m, /^rule /m] },
    { work: 'comings and goings', trials: 10, holds: [/^rule /m] },
  ])(
    'leaves them running, without a rule and by the right clock, after kill -9 in $work',
    { timeout: 900_000 },
    async ({ work, trials, holds }) => {
      const names = await strangers(2)
      const states = () => Promise.all(names.map((name) => cli('inspect', '-f', '{{.State.Status}}', name)))
      const met: string[] = []
      for (let trial = 0; trial < trials; trial += 1) {
        const run = await startGuardedRun({ system: 'adopted containers', work, containers: names })
        const afterMs = random.int(0, 2_500)
        await sleep(afterMs)
        const look = async () => {
          met.push(...(await states()))
          for (const name of names) met.push(...(await disturbancesOf(name)))
        }
        await untilMet(trial === trials - 1 ? holds : [], look, met)
        run.kill()
        await nothingLeft(run, { undoneWithinMs: 10_000, afterMs })
        expect(await states(), `killed ${afterMs} ms after it was at work`).toEqual(['running', 'running'])
        for (const name of names) expect(await disturbancesOf(name), `killed ${afterMs} ms later`).toEqual([])
      }
    },
  )
})

/** Looks once, and goes on while any of these kinds of things was not met: the moments before are chance's. */
async function untilMet(
  kinds: readonly RegExp[],
  look: () => Promise<unknown>,
  met: readonly string[],
): Promise<void> {
  const missing = async () => {
    await look()
    return kinds.filter((kind) => !kind.test(met.join('\n')))
  }
  await expect.poll(missing, { timeout: 120_000, interval: 50 }).toEqual([])
}

/** Rules in a running container's namespace, and whether its first process tells another time, in words. */
async function disturbancesOf(container: string): Promise<readonly string[]> {
  const pid = await cli('inspect', '-f', '{{.State.Pid}}', container)
  if (pid === '0') return []
  const clocks = processesWithChangedClock().filter((changed) => String(changed) === pid)
  return [...(await rulesIn(`/proc/${pid}/ns/net`)), ...clocks.map((changed) => `clock of ${changed}`)]
}

async function nothingLeft(
  run: GuardedRun,
  { undoneWithinMs, afterMs }: { undoneWithinMs: number; afterMs: number },
): Promise<void> {
  const { left } = await untilClean(run, calmDeadline(undoneWithinMs))
  expect(left, `killed ${afterMs} ms after it was at work`).toEqual([])
}

/** Names of containers of somebody else's, which the run under test has not started. */
async function strangers(count: number): Promise<readonly string[]> {
  const image = await ensureImage(await engineAt(null), echoImage)
  const network = `nemesis-test-${globalThis.process.pid}-guarded`
  const names = Array.from({ length: count }, (_, index) => `${network}-${index}`)
  onTestFinished(async () => {
    await cli('rm', '-f', ...names)
    await cli('network', 'rm', network)
  })
  await createNetwork(network)
  for (const name of names) {
    await cli('run', '-d', '--network', network, '--name', name, image, ...echoCommand)
  }
  return names
}
