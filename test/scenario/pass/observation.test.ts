import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DeclarationError } from '../../../src/errors.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import type { LogRules, ScenarioSpec } from '../../../src/scenario/spec.js'
import { system } from '../../../src/scenario/system.js'
import { metricsSchema } from '../../../src/session/metrics-record.js'
import type { ProviderContext } from '../../../src/systems/system.js'
import { MemorySystem, type MemoryClient } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

/** A system whose first node writes these lines to its log. */
function logging(lines: string, logs?: LogRules): ScenarioSpec {
  const memory = new MemorySystem(3)
  const provider = memory.provider()
  const start = async (context: ProviderContext) => {
    const running = await provider.start(context)
    await writeFile(join(context.logsDir, 'n1.log'), lines)
    await writeFile(join(context.logsDir, 'n2.log'), 'ready\n')
    await rm(join(context.logsDir, 'n3.log'), { force: true })
    return running
  }
  const { spec } = scenarioOn(memory).system
  return scenarioOn(memory, {
    system: system<MemoryClient>('memory', {
      ...spec,
      connect: (node) => memory.client(node.name),
      nodes: { ...provider, start },
      ...(logs === undefined ? {} : { logs }),
    }),
  })
}

test('the logs of the nodes are scanned after the pass', async () => {
  const { record } = await run(logging('ready\npanic: lost my mind\n'))
  const [{ logScan, logs } = {}] = record.runs
  expect(logScan).toMatchObject({
    files: 2,
    lines: 3,
    matches: [{ pattern: 'Go panic', file: logs![0], line: 2, text: 'panic: lost my mind', ignored: null }],
    unread: [expect.stringMatching(/n3\.log: it does not exist$/)],
  })
})

test('the rules of the system apply, and faults explain what they bring about', async () => {
  const refused =
    'Error: connect ECONNREFUSED 127.0.0.1:7000\n    at TCPConnectWrap.afterConnect (node:net:1:1)\n'
  const rules = {
    alarming: [/split brain/],
    ignored: [{ pattern: /panic: drill/, because: 'the drill' }],
  }
  const spec = logging(`${refused}split brain\npanic: drill\n`, rules)
  const { record } = await run({
    ...spec,
    nemesis: [nemesis('kill', { node: 'n1', at: '50ms', for: '50ms' })],
  })
  const { matches } = record.runs[0]!.logScan!
  expect(matches.map(({ pattern, ignored }) => [pattern, ignored])).toEqual([
    ['exception with its stack', 'a lost connection, which the faults of the run explain'],
    ['Go panic', 'the drill'],
    ['/split brain/', null],
  ])
})

test.each([
  [{ alarming: ['panic'] }, 'logs.alarming[0]: expected a regular expression'],
  [{ alarming: [/x*/] }, 'logs.alarming[0]: it matches an empty line'],
  [{ ignored: [{ pattern: /x/ }] }, 'logs.ignored[0].because is missing'],
  [{ ignored: [{ pattern: /x/, because: '' }] }, 'logs.ignored[0].because: expected a reason'],
  [{ alarm: [/x/] }, 'logs.alarm is not an option'],
])('rules that are wrong are refused: %j', (rules, message) => {
  const declare = () => logging('', rules as unknown as LogRules)
  expect(declare).toThrow(DeclarationError)
  expect(declare).toThrow(message)
})

test('the machine is watched, and the metrics of every run are kept', async () => {
  const { record, sessionDir } = await run(
    scenarioOn(new MemorySystem(3), {
      nemesis: [nemesis('kill', { node: 'n1', at: '300ms', for: '100ms' })],
    }),
  )
  const [{ host, name, nominal, load } = {}] = record.runs
  expect(host!.watched).toEqual(expect.arrayContaining(['clocks', 'event loop']))
  // Others may keep this machine busy.
  const unexpected = host!.signals.filter(({ kind }) => kind !== 'steal' && kind !== 'stall')
  expect(unexpected).toEqual([])
  const file = join(sessionDir, 'metrics', record.name, `${name}.json`)
  const metrics = metricsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  expect(metrics).toMatchObject({ run: name, nominal })
  const total = (outcome: 'ok' | 'failed' | 'unknown') =>
    metrics.seconds.reduce((sum, second) => sum + second[outcome], 0)
  expect([total('ok'), total('failed'), total('unknown')]).toEqual([load!.ok, load!.failed, load!.unknown])
  expect(metrics.seconds[0]).toMatchObject({ second: 0, p50: expect.any(Number) })
  expect(metrics.host.length).toBeGreaterThanOrEqual(2)
})

test('a record whose history cannot be written for want of room blames a full disk', async () => {
  const spec = scenarioOn(new MemorySystem(3))
  const { record } = await run({
    ...spec,
    workload: {
      spec: {
        ...spec.workload!.spec,
        // Stands for the recorder, which says so in the same words.
        classify: () => {
          throw new Error('ENOSPC: no space left on device, write')
        },
        operations: { write: { run: () => Promise.reject(new Error('x')) } },
      },
    },
  })
  expect(record.runs[0]!.error?.message).toContain('ENOSPC')
  expect(record.runs[0]!.host!.signals).toMatchObject([{ kind: 'disk-full' }])
})

test('the digest of the harness is that of the declaration', async () => {
  const one = await run(scenarioOn(new MemorySystem(3)))
  const same = await run(scenarioOn(new MemorySystem(5), { seed: 7 }))
  const other = await run(scenarioOn(new MemorySystem(3), { checkers: [] as never, budget: longer }))
  expect(one.record.harness).toMatch(/^[0-9a-f]{64}$/)
  expect(same.record.harness).toBe(one.record.harness)
  expect(other.record.harness).not.toBe(one.record.harness)
})

const longer = { smoke: { duration: '300ms', nodes: 3, faults: 0, seeds: 1 } } as const
