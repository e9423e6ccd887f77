import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { control, type Attempt, type Control } from '../../../src/boundary/control.js'
import { Random } from '../../../src/random/random.js'
import { runControls } from '../../../src/scenario/pass/controls.js'
import { declaredScenarios } from '../../../src/scenario/declaration/arms/declared.js'
import { system } from '../../../src/scenario/system.js'
import { claim } from '../../../src/claim/declare.js'
import { MemorySystem } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

/** A store of documents by tenant that keeps an audit log, and folds case when it is told to. */
class Documents {
  readonly log: string[] = []
  readonly #documents = new Map<string, string>()
  readonly #fold: boolean
  closed = 0

  constructor({ fold = false } = {}) {
    this.#fold = fold
  }

  #key(tenant: string, id: string): string {
    return `${this.#fold ? tenant.toLowerCase() : tenant}\n${id}`
  }

  put(tenant: string, id: string, text: string): Promise<void> {
    this.#documents.set(this.#key(tenant, id), text)
    return Promise.resolve()
  }

  get(tenant: string, id: string): Promise<string> {
    const text = this.#documents.get(this.#key(tenant, id))
    if (text !== undefined) return Promise.resolve(text)
    this.log.push(`denied ${tenant} ${id}`)
    return Promise.reject(new Error('no such document'))
  }

  close(): void {
    this.closed += 1
  }
}

const reads = control.positive<Documents>('reads its own', {
  prepare: ({ clients: [client], pair }) => client!.put(pair.ours.scope, pair.ours.id, 'text'),
  run: ({ clients: [client], pair }) => client!.get(pair.ours.scope, pair.ours.id),
  holds: (answer) => answer === 'text',
})

const isDenied = ({ error }: Attempt) => error instanceof Error && error.message === 'no such document'

function denies(changes: Partial<Parameters<typeof control.negative<Documents>>[1]> = {}) {
  return control.negative<Documents>('reads of another', {
    prepare: ({ clients: [client], pair }) => client!.put(pair.theirs.scope, pair.theirs.id, 'secret'),
    attempt: ({ clients: [client], pair }) => client!.get(pair.ours.scope, pair.theirs.id),
    refused: isDenied,
    observed: ({ clients: [client], pair }) =>
      client!.log.find((line) => line === `denied ${pair.ours.scope} ${pair.theirs.id}`) ?? null,
    ...changes,
  })
}

async function outcome(
  controls: readonly Control<Documents>[],
  { documents = new Documents(), rested = true, signal = new AbortController().signal } = {},
) {
  const store = system<Documents>('documents', {
    nodes: new MemorySystem(1).provider(),
    connect: () => documents,
  })
  const node = { name: 'n1', index: 0, address: () => ({ host: 'n1', port: 1 }) }
  return runControls({ system: store, nodes: [node], controls, rested, random: new Random(7), signal })
}

describe('runControls', () => {
  it('holds what is possible, and what is refused and seen to be refused', async () => {
    const documents = new Documents()
    const { controls, check } = await outcome([reads, denies()], { documents })
    expect(controls.map(({ name, kind, held }) => [name, kind, held])).toEqual([
      ['reads its own', 'positive', true],
      ['reads of another', 'negative', true],
    ])
    expect(controls[0]!.detail).toBe('seen: it answered "text"')
    expect(controls[1]!.detail).toMatch(/^refused: no such document; seen: denied \w+ \w+$/)
    expect(check).toMatchObject({ checker: 'controls', valid: true, operations: 2, anomalies: [] })
    expect(documents.closed).toBe(2)
  })

  it('runs once for each kind of look-alike, which it draws by the seed', async () => {
    const alike = denies({ confusable: ['case-folding', 'prefix-collision'] })
    const { controls, check } = await outcome([alike])
    expect(controls.map(({ name, held }) => [name, held])).toEqual([
      ['reads of another (case-folding)', true],
      ['reads of another (prefix-collision)', true],
    ])
    expect(check!.evidence).toEqual({ 'positive controls': 0, 'negative controls': 2 })
    expect((await outcome([alike])).controls).toEqual(controls)
  })

  it('takes no answer in time for no refusal', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const hangs = denies({ attempt: () => new Promise(() => undefined), refused: () => true })
    const running = outcome([hangs])
    await vi.advanceTimersByTimeAsync(10_000)
    const { controls, check } = await running
    expect(controls[0]).toMatchObject({
      held: false,
      detail: 'neither refused nor possible: no answer within 10000 ms',
    })
    expect(check!.valid).toBe('unknown')
  })

  it('does not wait for an answer once the run is cancelled', async () => {
    const controller = new AbortController()
    const hangs = denies({
      attempt: () => {
        controller.abort()
        return new Promise(() => undefined)
      },
      refused: () => true,
    })
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { check } = await outcome([hangs], { signal: controller.signal })
    expect(check!.valid).toBe('unknown')
  })

  it('is a violation when what must be refused is not', async () => {
    const documents = new Documents({ fold: true })
    const { controls, check } = await outcome(
      [reads, denies({ confusable: ['same-name', 'case-folding'] })],
      {
        documents,
      },
    )
    expect(controls.map(({ held }) => held)).toEqual([true, true, false])
    expect(controls[2]!.detail).toBe('not refused: it answered "secret"')
    expect(check!.valid).toBe(false)
    expect(check!.anomalies).toEqual([
      {
        type: 'boundary-crossed',
        explanation:
          'What must be refused was not: negative control "reads of another (case-folding)": not refused: it answered "secret"',
        operations: [],
      },
    ])
  })

  it.each<[string, Control<Documents>, RegExp]>([
    [
      'a refusal that nothing shows',
      denies({ observed: () => null }),
      /^refused: no such document; but nothing/,
    ],
    [
      'a refusal that cannot be looked for',
      denies({ observed: () => Promise.reject(new Error('no log')) }),
      /but looking for it failed: no log$/,
    ],
    [
      'one that could not be prepared',
      denies({ prepare: () => Promise.reject(new Error('disk full')) }),
      /^could not be tried: disk full$/,
    ],
    [
      'what is not possible at all',
      control.positive<Documents>('reads', {
        run: () => Promise.reject(new Error('down')),
        holds: () => true,
      }),
      /^not possible: down$/,
    ],
    [
      'what is not what must be seen',
      control.positive<Documents>('reads', { run: () => Promise.resolve([]), holds: () => false }),
      /^not what must be seen: it answered \[\]$/,
    ],
  ])('leaves the question open: %s', async (_, one, detail) => {
    const { controls, check } = await outcome([one])
    expect(controls).toMatchObject([{ held: false, detail: expect.stringMatching(detail) as string }])
    expect(check).toMatchObject({ valid: 'unknown', anomalies: [] })
    expect(check!.reason).toContain(controls[0]!.detail)
  })

  it('says nothing of a system that did not come to rest', async () => {
    const { controls, check } = await outcome([reads, denies()], { rested: false })
    expect(controls.map(({ held, detail }) => [held, detail])).toEqual(
      Array.from({ length: 2 }, () => [false, 'not tried: the system did not come to rest']),
    )
    expect(check!.valid).toBe('unknown')
  })

  it('is no checker without controls', async () => {
    expect(await outcome([])).toEqual({ controls: [], check: null })
  })
})

it('an arm runs its controls in every pass, and a crossing is a violation that is seen again', async () => {
  const documents = new Documents({ fold: true })
  const [api] = declaredScenarios(
    'tenants_are_apart',
    {
      ...scenarioOn(new MemorySystem(1)),
      falsifies: [claim('C1', 'Tenants are apart', { categories: ['boundary', 'safety'] })],
      sensitivity: false,
      arms: {
        api: {
          surfaces: ['get'],
          keys: ['tenant'],
          controls: [
            denies({
              confusable: ['case-folding'],
              prepare: ({ pair }) => documents.put(pair.theirs.scope, pair.theirs.id, 'secret'),
              attempt: ({ pair }) => documents.get(pair.ours.scope, pair.theirs.id),
            }),
          ],
          asyncPaths: { none: 'x' },
          backgroundPaths: { none: 'x' },
          observabilityPaths: ['log'],
        },
      },
    },
    false,
  )
  const { record } = await run(api!.spec)
  const runs = record.runs.filter(({ purpose }) => purpose !== 'experiment')
  expect(runs.map(({ controls }) => controls.map(({ held }) => held))).toEqual([[false], [false], [false]])
  expect(record.ruling).toMatchObject({ verdict: 'FAIL-reproducible' })
  expect(record.ruling.reason).toContain('What must be refused was not')
})
