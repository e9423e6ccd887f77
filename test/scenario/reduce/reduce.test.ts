import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readReproducer } from '../../../src/findings/reduction/reproducer.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import type { ScenarioBody } from '../../../src/scenario/pass/drive/body.js'
import { Passes, type RunEnvironment } from '../../../src/scenario/runs/passes.js'
import { reduceByReruns } from '../../../src/scenario/reduce/reduce.js'
import { runScenario } from '../../../src/scenario/run.js'
import { system } from '../../../src/scenario/system.js'
import type { ScenarioSpec } from '../../../src/scenario/spec.js'
import { sessionLayout } from '../../../src/session/layout.js'
import { createSession } from '../../../src/session/session.js'
import { runRecord, scenarioRecord } from '../../session/records.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { MemorySystem, type MemoryClient } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

/** Answers reads with the value before the last one for as long as n2 is down. */
function flawed(
  changes: Partial<ScenarioSpec<MemoryClient>> = {},
  memory = new MemorySystem(3),
): ScenarioSpec {
  const store = system<MemoryClient>('memory', {
    nodes: memory.provider(),
    connect: (node) => {
      const client = memory.client(node.name)
      const old = new Map<string, unknown>()
      const put = client.put.bind(client)
      const get = client.get.bind(client)
      return Object.assign(client, {
        put: async (key: string, value: unknown) => {
          old.set(key, await get(key))
          return put(key, value)
        },
        get: async (key: string) => {
          const value = await get(key)
          return memory.nodes[1]?.status === 'running' ? value : null
        },
      })
    },
    ready: () => Promise.resolve(true),
    settle: '300ms',
  })
  return scenarioOn(memory, {
    system: store,
    nemesis: [
      nemesis('pause', { node: 'n1', at: '20ms', for: '20ms' }),
      nemesis('kill', { node: 'n2', at: '80ms', for: '500ms', landWithin: '200ms' }),
      nemesis('pause', { node: 'n3', at: '30ms', for: '20ms' }),
    ],
    budget: { smoke: { duration: '800ms', nodes: 3, faults: 0, seeds: 1 } },
    blame: false,
    reruns: 1,
    ...changes,
  })
}

function environmentOf(sessionDir: string, signal = new AbortController().signal): RunEnvironment {
  return {
    ...{
      name: 'reads_return_the_latest_write',
      location: 'a.scenario.ts:1',
      sessionDir,
      tier: 'smoke',
      signal,
    },
    progress: () => undefined,
  }
}

describe('the reduction of a recorded violation', () => {
  it(
    'leaves the one fault and the few operations that it takes, and replays them',
    { timeout: 110_000 },
    async () => {
      const spec = flawed()
      const { record, sessionDir } = await run(spec)
      expect(record.ruling.verdict).toMatch(/^FAIL-/)
      const passes = new Passes(spec, undefined, environmentOf(sessionDir))
      expect(await reduceByReruns(passes, record, { runs: 40, within: '80s' })).toMatchObject({ seen: true })
      const { rerun, reproducer, snippet } = record.reduction!
      expect(rerun).toMatchObject({ events: { from: 3, to: 1 }, minimal: true })
      expect(rerun?.operations.to).toBeLessThanOrEqual(3)
      expect(rerun?.reruns).toBeLessThanOrEqual(40)
      expect(rerun?.confirmed.reruns).toBe(3)
      expect(rerun?.confirmed.reproduced).toBeGreaterThan(0)
      // There is no source to take a declaration from.
      expect(snippet).toBeNull()
      const kept = record.runs.filter(({ name }) => name.startsWith('reduce-'))
      expect(kept).toMatchObject([{ purpose: 'experiment', error: null }])
      const files = await readdir(join(sessionDir, 'artifacts', record.name))
      expect(files.filter((name) => name.startsWith('reduce-'))).toEqual(kept.map(({ name }) => name))

      const written = await readReproducer(join(sessionDir, reproducer!))
      expect(written.faults.map(({ fault }) => fault)).toEqual(['kill node=n2'])
      const again = await temporaryDirectory()
      await createSession(again)
      const replayed = await runScenario(spec, undefined, { ...environmentOf(again), reproducer: written })
      expect(replayed.ruling.verdict).toMatch(/^FAIL-/)
      expect(replayed.runs.every(({ load }) => (load?.invoked ?? 9) <= 3)).toBe(true)
      expect(replayed.nemesis).toEqual(['kill node=n2'])
      expect(replayed.notes).toEqual([])
    },
  )

  it('is replayed and said to have changed when it has', { timeout: 110_000 }, async () => {
    const spec = flawed({ reduce: { runs: 2 }, reruns: 0 })
    const { record, sessionDir } = await run(spec)
    const written = await readReproducer(join(sessionDir, record.reduction!.reproducer!))
    const again = await temporaryDirectory()
    await createSession(again)
    const { workload } = spec
    const changed = { ...spec, workload: { spec: { ...workload!.spec, timeout: '2s' as const } } }
    const replayed = await runScenario(changed, undefined, { ...environmentOf(again), reproducer: written })
    expect(replayed.notes).toEqual([
      'it has changed since the reproducer was made: what drives and judges it, or the version of vitest-nemesis',
    ])
  })

  it('is done at once where the scenario asks for it', { timeout: 110_000 }, async () => {
    const { record } = await run(flawed({ reduce: { runs: 4 }, reruns: 0 }))
    expect(record.reduction?.rerun?.reruns).toBeLessThanOrEqual(4)
    expect(record.reduction?.reproducer).not.toBeNull()
  })

  it('keeps the best so far when it is cancelled', { timeout: 110_000 }, async () => {
    const spec = flawed({ reruns: 0 })
    const { record, sessionDir } = await run(spec)
    const controller = new AbortController()
    const ended: string[] = []
    const passes = new Passes(spec, undefined, {
      ...environmentOf(sessionDir, controller.signal),
      progress: ({ outcome }) => {
        if (outcome === null) return
        ended.push(outcome)
        if (outcome.endsWith(': shows it')) controller.abort()
      },
    })
    expect(await reduceByReruns(passes, record, {})).toMatchObject({ seen: true })
    expect(ended.at(-1)).toMatch(/shows it$/)
    expect(record.reduction?.rerun).toMatchObject({ minimal: false, confirmed: { reruns: 0, reproduced: 0 } })
    expect(existsSync(join(sessionDir, record.reduction?.reproducer ?? ''))).toBe(true)
  })

  it('keeps what an earlier one has found when it finds nothing', { timeout: 110_000 }, async () => {
    const spec = flawed({ reduce: { runs: 4 }, reruns: 0 })
    const { record, sessionDir } = await run(spec)
    const before = structuredClone(record.reduction)
    expect(before?.reproducer).not.toBeNull()
    const sound = scenarioOn(new MemorySystem(3), { nemesis: spec.nemesis! })
    const passes = new Passes(sound, undefined, environmentOf(sessionDir))
    expect(await reduceByReruns(passes, record, { runs: 2 })).toEqual({ seen: false, reruns: 2 })
    expect(record.reduction).toEqual(before)
    expect(existsSync(join(sessionDir, before?.reproducer ?? ''))).toBe(true)
    const cancelled = new Passes(spec, undefined, environmentOf(sessionDir, AbortSignal.abort()))
    expect(await reduceByReruns(cancelled, record, {})).toEqual({ seen: false, reruns: 0 })
    expect(record.reduction).toEqual(before)
  })

  it('has the violation on record before it begins', { timeout: 110_000 }, async () => {
    const spec = flawed({ reduce: { runs: 1 }, reruns: 0 })
    const sessionDir = await temporaryDirectory()
    await createSession(sessionDir)
    const found: (string | undefined)[] = []
    await runScenario(spec, undefined, {
      ...environmentOf(sessionDir),
      progress: ({ run: name, phase }) => {
        if (name !== 'reduce-1' || phase !== 'start') return
        const file = sessionLayout(sessionDir).record('reads_return_the_latest_write')
        found.push(existsSync(file) ? readFileSync(file, 'utf8') : undefined)
      },
    })
    expect(found[0]).toContain('FAIL-')
  })

  it('says when the violation does not come again', { timeout: 110_000 }, async () => {
    const { record, sessionDir } = await run(flawed({ reruns: 0 }))
    const passes = new Passes(
      scenarioOn(new MemorySystem(3), { nemesis: flawed().nemesis! }),
      undefined,
      environmentOf(sessionDir),
    )
    expect(await reduceByReruns(passes, record, { runs: 5 })).toEqual({ seen: false, reruns: 5 })
    expect(record.reduction).toMatchObject({ reproducer: null, snippet: null })
    expect(record.reduction?.rerun).toMatchObject({ reruns: 5, minimal: false })
    const files = await readdir(join(sessionDir, 'artifacts', record.name))
    expect(files.filter((name) => name.startsWith('reduce-'))).toEqual([])
  })

  it('is refused without a violation, and where a body asserts it or injects no fault', async () => {
    const spec = scenarioOn(new MemorySystem(3))
    const { record, sessionDir } = await run(spec)
    const environment = environmentOf(sessionDir)
    await expect(reduceByReruns(new Passes(spec, undefined, environment), record, {})).rejects.toThrow(
      /S1 is PASS-smoke: there is no violation to reduce/,
    )
    const body = () => undefined
    const refused = (checker: string) =>
      reduceByReruns(
        new Passes(spec, body, environment),
        scenarioRecord({
          runs: [runRecord({ faults: [], checks: [{ ...runRecord().checks[0]!, checker, valid: false }] })],
        }),
        {},
      )
    await expect(refused('body assertions')).rejects.toThrow(/is an assertion/)
    await expect(refused('linearizable')).rejects.toThrow(/injected no fault in seed-42/)
  })
})

describe('the reduction of a body', () => {
  const memory = new MemorySystem(3)
  const { workload: _, nemesis: __, ...spec } = flawed({ reruns: 0 }, memory)
  const body: ScenarioBody<MemoryClient> = async ({ clients, op, inject, until }) => {
    const fault = (name: 'pause' | 'kill', node: string) =>
      inject(nemesis(name, { node, landWithin: '100ms' }))
    const write = (input: number) =>
      op({ process: 0, type: 'write', key: 'k', input }, () => clients[0]!.put('k', input))
    await write(1)
    const first = await fault('pause', 'n1')
    // The body depends on it: without it nothing more happens.
    await until(() => memory.nodes[0]!.status === 'paused', { timeout: '50ms' })
    await first.heal()
    await (await fault('pause', 'n3')).heal()
    const kill = await fault('kill', 'n2')
    await op({ process: 2, type: 'read', key: 'k' }, () => clients[2]!.get('k'))
    await kill.heal()
  }

  it(
    'leaves out the faults that it does not need, and replays it without them',
    { timeout: 110_000 },
    async () => {
      const { record, sessionDir } = await run(spec, body)
      expect(record.ruling.verdict).toMatch(/^FAIL-/)
      const passes = new Passes(spec, body, environmentOf(sessionDir))
      expect(await reduceByReruns(passes, record, {})).toMatchObject({ seen: true })
      expect(record.reduction).toMatchObject({
        rerun: {
          events: { from: 3, to: 2 },
          operations: { from: 2, to: 2 },
          confirmed: { reruns: 3, reproduced: 3 },
          minimal: true,
        },
        snippet: null,
      })
      expect(record.notes).toContain('the violation comes without fault 2 of the 3 that its body injects')
      const written = await readReproducer(join(sessionDir, record.reduction!.reproducer!))
      expect(written).toMatchObject({ faults: [], load: { kind: 'body', leftOut: [1] } })
      const again = await temporaryDirectory()
      await createSession(again)
      const replayed = await runScenario(spec, body, { ...environmentOf(again), reproducer: written })
      expect(replayed.ruling.verdict).toMatch(/^FAIL-/)
      expect(replayed.notes).toEqual([])
      const kept = replayed.runs[0]!.faults.map(({ fault, target }) => [fault, target.match(/n\d/)?.[0]])
      expect(kept).toEqual([
        ['pause', 'n1'],
        ['kill', 'n2'],
      ])
    },
  )

  it('is done at once where the scenario asks for it', { timeout: 110_000 }, async () => {
    const { record } = await run({ ...spec, reduce: { runs: 30 } }, body)
    expect(record.reduction?.rerun?.events).toEqual({ from: 3, to: 2 })
  })
})
