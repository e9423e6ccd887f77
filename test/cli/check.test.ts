import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkCommand } from '../../src/cli/check.js'
import { run } from '../../src/cli/run.js'

const directory = mkdtempSync(path.join(tmpdir(), 'nemesis-check-'))
afterAll(() => rmSync(directory, { recursive: true }))

const cases = fileURLToPath(new URL('../fixtures/cases/', import.meta.url))
const inCases = (name: string) => path.join(cases, `${name}.ndjson`)
const stale = inCases('stale-read-after-pause')
const good = inCases('timeout-recorded-as-info')

let out = ''
let err = ''
beforeEach(() => {
  out = ''
  err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true))
})
afterEach(() => {
  vi.restoreAllMocks()
  // The command reports its code there, and that must not become the code of the test run.
  process.exitCode = undefined
})

const check = (...argv: string[]) => run([checkCommand()], ['check', ...argv])
const lines = (text: string) => text.split('\n').filter((line) => line !== '')

function file(name: string, content: string | Uint8Array): string {
  const target = path.join(directory, name)
  writeFileSync(target, content)
  return target
}

describe('nemesis check FILE', () => {
  it('exits 0 when the history holds and 1 when one does not', async () => {
    expect(await check(good, '--model', 'register')).toBe(0)
    expect(out).toMatch(/^valid {2}.*timeout-recorded-as-info/)
    expect(await check(good, stale, '--model', 'register')).toBe(1)
    expect(out).toContain('INVALID')
    expect(out).toContain('stale-value: read -> 1')
  })

  it('tells by an audit of the server which retries a client hides', async () => {
    const event = (type: string, process: number) =>
      `${JSON.stringify({ process, type, f: 'write', key: 'x', value: 1 })}\n`
    const recorded = file('recorded.ndjson', event('invoke', 0) + event('ok', 0))
    const audit = file('audit.ndjson', [0, 1].map((at) => event('invoke', at) + event('ok', at)).join(''))
    expect(await check(recorded, '--audit', audit, '--model', 'register')).toBe(0)
    expect(err).toContain('the audit saw write(1) of key "x" 2 times, and clients recorded it 1 times')
    err = ''
    expect(await check(recorded, '--audit', recorded, '--model', 'register')).toBe(0)
    expect(err).toBe('')
    expect(await check(recorded, good, '--audit', audit, '--model', 'register')).toBe(2)
    expect(err).toContain('--audit goes with one history')
  })

  it('prints one JSON object a file, with the fields of the documentation', async () => {
    expect(await check(stale, good, '--model', 'register', '--json')).toBe(1)
    const [invalid, valid] = lines(out).map((line) => JSON.parse(line))
    expect(invalid).toMatchObject({
      valid: false,
      model: 'register',
      checker: 'linearizable',
      operations: 3,
      anomalies: [{ type: 'stale-value', explanation: expect.any(String), operations: expect.any(Array) }],
      scope: expect.any(Array),
      ms: expect.any(Number),
      file: stale,
    })
    expect(valid).toMatchObject({ valid: true, anomalies: [], file: good })
  })

  it('reads the semantics from the command line', async () => {
    const nullRead = file(
      'null.ndjson',
      '{"process":0,"type":"invoke","f":"read","key":null,"value":null}\n' +
        '{"process":0,"type":"ok","f":"read","key":null,"value":null}\n',
    )
    expect(await check(nullRead, '--model', 'cas-register', '--init', '0')).toBe(1)
    expect(await check(nullRead, '--model', 'cas-register', '--init', '0', '--null-read', 'unknown')).toBe(0)
    const failedCas = file(
      'failed.ndjson',
      '{"process":0,"type":"invoke","f":"cas","key":null,"value":[0,1]}\n' +
        '{"process":0,"type":"fail","f":"cas","key":null,"value":[0,1]}\n',
    )
    expect(await check(failedCas, '--model', 'cas-register', '--init', '0')).toBe(0)
    expect(await check(failedCas, '--model', 'cas-register', '--init', '0', '--failed', 'observed')).toBe(1)
  })

  it('judges a level by the checker of its name, and reads lines as the format says', async () => {
    const argv = [stale, '--model', 'register', '--level', 'linearizable']
    expect(await check(...argv, '--format', 'jepsen')).toBe(1)
    expect(await check(...argv, '--format', 'native')).toBe(2)
    expect(err).toContain('field "op_id" is missing')
  })

  it('answers unknown when the declared memory is not enough', async () => {
    const overlapping = Array.from({ length: 12 }, (_, process) => [
      `{"process":${process},"type":"invoke","f":"append","key":null,"value":"${process},"}\n`,
      `{"process":${process},"type":"ok","f":"append","key":null,"value":"${process},"}\n`,
    ])
    const appends = file(
      'appends.ndjson',
      [0, 1].flatMap((at) => overlapping.map((events) => events[at])).join(''),
    )
    expect(await check(appends, '--model', 'kv-string-append', '--max-memory', '1')).toBe(3)
    expect(out).toMatch(/memory.* would help/)
  })

  it('exits 3 when there is nothing that the model could judge', async () => {
    expect(await check(good, '--model', 'multi-register')).toBe(3)
    expect(out).toContain('the history has only')
  })

  it.each([
    ['truncated', '{"process":0,"type":"invoke","f":"rea'],
    ['binary', new Uint8Array([0, 159, 146, 150, 0, 1, 2])],
    ['empty', ''],
  ])('exits 2 on a %s file with one line, and still checks the others', async (name, content) => {
    const broken = file(`${name}.ndjson`, content)
    expect(await check(broken, good, '--model', 'register')).toBe(2)
    expect(lines(err)).toHaveLength(1)
    expect(err).toContain(broken)
    expect(lines(out)).toHaveLength(1)
  })

  it('exits 2 when the model cannot read an operation, naming file and operation', async () => {
    const bad = file(
      'cas.ndjson',
      '{"process":0,"type":"invoke","f":"cas","key":null,"value":5}\n' +
        '{"process":0,"type":"ok","f":"cas","key":null,"value":5}\n',
    )
    expect(await check(bad, '--model', 'cas-register')).toBe(2)
    expect(lines(err)).toHaveLength(1)
    expect(err).toMatch(/cas\.ndjson: operation 0: cas-register: cas takes the input \[expected, new\]/)
  })

  it.each([
    [['--model', 'register'], /no history was given/],
    [['x.ndjson'], /--model is missing/],
    [['x.ndjson', '--model', 'regster'], /no model "regster"/],
    [['x.ndjson', '--model', 'register', '--checker', 'elle'], /checkers are linearizable/],
    [['x.ndjson', '--model', 'register', '--init', '{'], /--init: "{" is not JSON/],
    [['x.ndjson', '--model', 'register', '--timeout', 'soon'], /--timeout: "soon"/],
    [['x.ndjson', '--model', 'register', '--max-memory', 'all'], /--max-memory: "all".*megabytes/],
    [['x.ndjson', '--model', 'register', '--format', 'edn'], /native, jepsen/],
    [['x.ndjson', '--model', 'register', '--level', 'strong'], /no checker "strong"/],
    [
      ['x.ndjson', '--model', 'register', '--level', 'strong', '--checker', 'linearizable'],
      /--level strong: the checker linearizable judges no levels but its own/,
    ],
    [['x.ndjson', '--model', 'register', '--failed', 'maybe'], /ignored, observed/],
    [['x.ndjson', '--index', 'index.json'], /--index names the files/],
  ])('exits 2 on a wrong command line %j', async (argv, message) => {
    expect(await check(...argv)).toBe(2)
    expect(lines(err)).toHaveLength(1)
    expect(err).toMatch(message)
  })
})

describe('nemesis check --index', () => {
  const index = path.join(cases, 'index.json')

  it('agrees with our cases, skips what there is no checker for, and sums up on stderr', async () => {
    expect(await check('--index', index, '--json')).toBe(0)
    const results = lines(out).map((line) => JSON.parse(line))
    expect(results).toHaveLength(6)
    for (const result of results)
      expect(Object.keys(result)).toEqual(['name', 'file', 'results', 'mismatches'])
    expect(results[0]).toEqual({
      name: 'timeout-recorded-as-fail',
      file: 'timeout-recorded-as-fail.ndjson',
      results: { linearizable: false, sequential: false },
      mismatches: [],
    })
    expect(lines(err).at(-1)).toMatch(/^6 histories: 10 answers agree, 0 contradict, 0 undecided in time/)
  })

  const corpus = (histories: unknown) => file('index.json', JSON.stringify({ histories }))
  const entry = { name: 'one', file: path.relative(directory, stale), model: 'register' }

  it('exits 1 and lists the answer that contradicts', async () => {
    expect(await check('--index', corpus([{ ...entry, expect: { linearizable: true } }]), '--json')).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      mismatches: [{ checker: 'linearizable', expected: true, got: false }],
    })
  })

  it('takes any of several acceptable answers', async () => {
    expect(await check('--index', corpus([{ ...entry, expect: { linearizable: [false, 'unknown'] } }]))).toBe(
      0,
    )
  })

  it('exits 3 when nothing could be judged', async () => {
    expect(
      await check('--index', corpus([{ ...entry, model: 'teapot', expect: { linearizable: true } }])),
    ).toBe(3)
    expect(err).toContain('skipped because not available: model teapot 1')
  })

  it('asks checkers that need no model also about histories of another kind', async () => {
    const asked = { ...entry, model: 'teapot', expect: { 'unique-ids': 'unknown', linearizable: false } }
    expect(await check('--index', corpus([asked]), '--json')).toBe(0)
    expect(err).toContain('1 answers agree')
    expect(err).toContain('model teapot 1')
  })

  it('asks for sequential consistency with or without the order of each process', async () => {
    // One process reads 2 and then the value that was there before.
    const events = [
      { process: 0, type: 'invoke', f: 'write', value: 1 },
      { process: 0, type: 'ok', f: 'write', value: 1 },
      { process: 0, type: 'invoke', f: 'write', value: 2 },
      { process: 0, type: 'ok', f: 'write', value: 2 },
      { process: 1, type: 'invoke', f: 'read', value: null },
      { process: 1, type: 'ok', f: 'read', value: 2 },
      { process: 1, type: 'invoke', f: 'read', value: null },
      { process: 1, type: 'ok', f: 'read', value: 1 },
    ]
    file('back.ndjson', events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    const asked = (options: object, sequential: boolean) =>
      corpus([{ name: 'back', file: 'back.ndjson', model: 'register', options, expect: { sequential } }])
    expect(await check('--index', asked({}, false))).toBe(0)
    expect(await check('--index', asked({ sessionOrder: false }, true))).toBe(0)
    expect(await check('--index', asked({ sessionOrder: false }, false))).toBe(1)
  })

  it('reads what an index of elle-cli asserts of its own models', async () => {
    const event = (type: string, f: string, value: unknown) => ({ process: null, type, f, value, time: null })
    const events = [event('invoke', 'add', 1), event('ok', 'add', 1), event('invoke', 'read', null)]
    const late = [event('ok', 'read', []), event('invoke', 'read', null), event('ok', 'read', [1])]
    file('late.ndjson', [...events, ...late].map((one) => `${JSON.stringify(one)}\n`).join(''))
    const asserted = (...expected: object[]) =>
      corpus([{ name: 'late', file: 'late.ndjson', kind: 'set', expected }])
    const options = { linearizable: 'true' }
    const right = asserted(
      { model: 'set-full', valid: true, options: {} },
      { model: 'set-full', valid: false, options },
      { model: 'set', valid: true },
      { model: 'comments', valid: false },
    )
    expect(await check('--index', right, '--json')).toBe(0)
    expect(lines(out).map((line) => JSON.parse(line).results)).toEqual([
      { 'set-full': true },
      { 'set-full': false },
      { set: true },
      { comments: 'unknown' },
    ])
    expect(err).toContain('3 answers agree')
    expect(err).toContain('skipped because not available: checker comments 1')
    expect(await check('--index', asserted({ model: 'set-full', valid: true, options }))).toBe(1)
    expect(await check('--index', asserted({ check: 'cycles', valid: true }))).toBe(3)
  })

  it('exits 2 when a file of the corpus or the index is unreadable', async () => {
    const missing = { ...entry, file: 'nowhere.ndjson', expect: { linearizable: true } }
    expect(await check('--index', corpus([missing]))).toBe(2)
    expect(err).toContain('nowhere.ndjson')
    expect(await check('--index', file('bad.json', '{"histories": 3}'))).toBe(2)
    expect(await check('--index', path.join(directory, 'absent.json'))).toBe(2)
    expect(err).toContain('absent.json: cannot be read')
  })
})
