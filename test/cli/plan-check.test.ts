import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planCommand } from '../../src/cli/plan.js'
import { temporaryDirectory } from '../support/temporary.js'
import { typed } from '../support/typed.js'

const sample = new URL('../fixtures/plans/orders.md', import.meta.url)

const check = (...args: string[]) => typed(planCommand(), 'plan', 'check', ...args)

/** A repository with the sample plan, edited. */
async function repository(edit: (source: string) => string = (source) => source) {
  const root = await temporaryDirectory()
  await mkdir(join(root, '.git'))
  const file = join(root, 'orders.md')
  await copyFile(sample, file)
  await writeFile(file, edit(await readFile(file, 'utf8')))
  return { root, file }
}

test('a complete plan may be executed, and tests that are still missing are told', async () => {
  const { file } = await repository()
  const { code, text } = await check(file)
  expect([code, text.trim().split('\n').at(-1)]).toEqual([0, `${file}: nothing to object`])
  expect(text).toMatch(
    /drift {2}S1: no test implements linearizable_orders.*: test\/orders\.scenario\.ts is not there/,
  )
})

test('names file, line, rule, reason and fix of what is wrong', async () => {
  const { file } = await repository((source) => source.replace('flap | C2 |', 'flap | |'))
  const { code, text } = await check(file)
  expect(code).toBe(1)
  expect(text).toMatch(
    /orders\.md:\d+:1 {2}hypothesis-without-claim {2}H3 is tied to no claim\n {4}-> name the claims/,
  )
  expect(text).toContain('1 problem, 0 places to fill: it may not be executed yet')
})

test('tells as data and for code scanning', async () => {
  const { root, file } = await repository((source) =>
    source.replace('front end.\n', 'front end. FILL IN: more?\n'),
  )
  const sarif = join(root, 'plan.sarif')
  const { code, text } = await check(file, '--json', '--sarif', sarif)
  expect(code).toBe(1)
  const { findings } = JSON.parse(text) as { findings: { code: string; at: { line: number } }[] }
  expect(findings.map((finding) => finding.code)).toEqual(['to-fill'])
  const log = JSON.parse(await readFile(sarif, 'utf8')) as {
    runs: [{ results: unknown[]; tool: { driver: { rules: { id: string }[] } } }]
  }
  expect(log.runs[0].results).toMatchObject([
    {
      ruleId: 'to-fill',
      level: 'note',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'orders.md' },
            region: { startLine: findings[0]?.at.line },
          },
        },
      ],
    },
  ])
  expect(log.runs[0].tool.driver.rules.map(({ id }) => id)).toContain('to-fill')
})

test('a file that is no plan is one clear line', async () => {
  const { root } = await repository()
  const missing = await check(join(root, 'nothing.md'))
  expect(missing).toMatchObject({ code: 2, text: '' })
  expect(missing.errors).toMatch(
    /^nemesis: .*nothing\.md: there is no such file -> name a Markdown document.*\n$/,
  )
  const binary = join(root, 'binary.md')
  await writeFile(binary, Buffer.from([35, 0, 1, 2]))
  const latin = join(root, 'latin.md')
  await writeFile(latin, Buffer.from([35, 32, 233, 10]))
  expect((await check(latin)).errors).toMatch(/latin\.md: it is no text in UTF-8/)
  const deep = join(root, 'deep.md')
  await writeFile(deep, `${'>'.repeat(4000)} words`)
  expect((await check(deep)).errors).toMatch(/deep\.md: it is nested too deep/)
  expect((await check(root)).errors).toMatch(/: it is a folder ->/)
  expect((await check(binary)).errors).toMatch(/binary\.md: it is no text in UTF-8 ->/)
})

test('a byte order mark is none of the plan', async () => {
  const { file } = await repository((source) => `\uFEFF${source}`)
  expect(await check(file)).toMatchObject({ code: 0 })
})

test('a text that is no plan is told so once, not by every section', async () => {
  const { file } = await repository(() => '# Read me\n\nWords.\n')
  const { code, text } = await check(file)
  expect(code).toBe(1)
  expect(text).toContain('none of the sections of a plan is there')
  expect(text).not.toContain('section 1b is missing')
})

test('lists what is to be filled apart from what is wrong, without a fix for each', async () => {
  const { file } = await repository((source) =>
    source
      .replace('8 clients, 70% put and 30% get over 16 orders', 'FILL IN: how many clients')
      .replace('flap | C2 |', 'flap | |')
      .replace('### S1: linearizable_orders_under_asymmetric_partition', '### S1: FILL IN: a name'),
  )
  const { text } = await check(file)
  expect(text).toMatch(/orders\.md:\d+:\d+ {2}to-fill {2}how many clients\n/)
  expect(text).toContain('drift  S1: no test implements it: test/orders.scenario.ts is not there')
  expect(text.indexOf('hypothesis-without-claim')).toBeGreaterThan(text.lastIndexOf('to-fill'))
  expect(text).toContain('1 problem, 2 places to fill')
})

test('a target outside of the repository is refused, in whatever way it is written', async () => {
  for (const target of ['../x.ts', '/etc/x.ts', 'test/../../x.ts', 'C:\\x.ts']) {
    const { file } = await repository((source) =>
      source.replace('`test/orders.scenario.ts`', `\`${target}\``),
    )
    expect((await check(file)).text).toContain('target-outside')
  }
})
