import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { runScenario } from '../../../src/scenario/run.js'
import type { ScenarioSpec } from '../../../src/scenario/spec.js'
import { createSession, readSession } from '../../../src/session/session.js'
import type { NodeProvider } from '../../../src/systems/system.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { MemorySystem, type MemoryClient } from '../memory-system.js'
import { scenarioOn } from '../running.js'

/** A register that is killed once in each of three seeds, under a budget for a hardened pass. */
function hardening(changes: Partial<ScenarioSpec<MemoryClient>> = {}): ScenarioSpec {
  return scenarioOn(new MemorySystem(3), {
    nemesis: [nemesis('kill', { node: 'n1', at: '700ms', for: '300ms' })],
    budget: {
      smoke: { duration: '200ms', nodes: 1, faults: 0, seeds: 1 },
      hardening: { duration: '1500ms', nodes: 3, faults: 3, seeds: 3 },
    },
    ...changes,
    waive: { 'recovered-to-nominal': 'the machine of a test may be busy by then', ...changes.waive },
  })
}

async function ran(spec: ScenarioSpec) {
  const sessionDir = await temporaryDirectory()
  await createSession(sessionDir)
  await runScenario(spec, undefined, {
    name: 'reads_return_the_latest_write',
    location: null,
    sessionDir,
    tier: 'hardening',
    signal: new AbortController().signal,
    progress: () => undefined,
  })
  const { scenarios } = await readSession(sessionDir)
  const [record] = scenarios
  const results =
    record?.audits.map(({ name, result, evidence }) => `${name} ${result}: ${evidence[0]}`) ?? []
  return {
    record: record!,
    unmet: results.filter((result) => / unmet: /.test(result) && !result.startsWith('recovered-to-nominal ')),
  }
}

/** The same provider, with nodes that log more than nothing. */
function logging(provider: NodeProvider, line: string): NodeProvider {
  return {
    ...provider,
    async start(context) {
      const running = await provider.start(context)
      appendFileSync(join(context.logsDir, 'n2.log'), `${line}\n`)
      return running
    },
  }
}

describe('a scenario that does all it should', () => {
  test('is hardened, and its record holds every check with what it rests on', async () => {
    const { record, unmet } = await ran(hardening())
    expect(unmet).toEqual([])
    expect(record.ruling, record.ruling.reason).toMatchObject({ verdict: 'PASS-hardening', row: 9 })
    expect(record.audits).toHaveLength(24)
    expect(record.audits.filter(({ result }) => result === 'met').length).toBeGreaterThan(12)
  })

  test('does not pass over a panic in a log, and tells its line', async () => {
    const spec = hardening({ seed: 7 })
    const system = {
      ...spec.system,
      spec: { ...spec.system.spec, nodes: logging(spec.system.spec.nodes, 'panic: nil map') },
    }
    const { record, unmet } = await ran({ ...spec, system })
    expect(unmet).toEqual([
      expect.stringMatching(/^no-swallowed-errors unmet: seed-7: .*n2\.log:1: panic: nil map/),
    ])
    expect(record.ruling).toMatchObject({ verdict: 'PARTIAL-surface', row: 8 })
    expect(record.ruling.reason).toContain('panic: nil map')
  })

  test('passes over what it waives, with the reason in the verdict', async () => {
    const spec = hardening({
      waive: { 'no-swallowed-errors': 'known, and harmless', replicated: 'to be safe' },
    })
    const system = {
      ...spec.system,
      spec: { ...spec.system.spec, nodes: logging(spec.system.spec.nodes, 'panic: nil map') },
    }
    const { record } = await ran({ ...spec, system })
    expect(record.ruling.verdict, record.ruling.reason).toBe('PASS-hardening')
    expect(record.ruling.reason).toMatch(
      /checks? waived: (recovered.*; )?no-swallowed-errors \(known, and harmless\)/,
    )
    expect(record.ruling.reason).toMatch(/The waiver of replicated is needless\./)
  })
})
