import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { authorCommand } from '../../../src/cli/author.js'
import { originsIn } from '../../../src/plan/author/header.js'
import { parsePlan } from '../../../src/plan/parse/parse.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { typed } from '../../support/typed.js'

const sample = new URL('../../fixtures/plans/orders.md', import.meta.url)
const orders = 'test/orders.scenario.ts'

/** A git repository with the sample plan. */
async function repository() {
  const root = await temporaryDirectory()
  await execa('git', ['init', '-q'], { cwd: root })
  await mkdir(join(root, 'docs/testing-plans'), { recursive: true })
  const file = join(root, 'docs/testing-plans/orders.md')
  await cp(sample, file)
  const text = (path: string) => readFile(join(root, path), 'utf8')
  const edit = async (path: string, from: string, to: string) =>
    writeFile(join(root, path), (await text(path)).replace(from, to))
  return { root, file, text, edit }
}

const author = (...args: string[]) => typed(authorCommand(), 'author', ...args)

describe('nemesis author', () => {
  it('writes every scenario to its target, shows it first, and stages without a commit', async () => {
    const { root, file, text } = await repository()
    const { code, text: told } = await author(file)
    expect(code).toBe(0)
    expect(told).toContain(`+++ ${orders}`)
    expect(told).toContain('wrote S1, S2, S3 to 3 files; not formatted; staged, not committed')
    const { scenarios } = parsePlan(await readFile(file, 'utf8'), file)
    expect(originsIn(await text(orders))).toEqual([
      { plan: 'docs/testing-plans/orders.md', scenario: 'S1', digest: scenarios[0]?.digest },
    ])
    const { stdout } = await execa('git', ['status', '--porcelain'], { cwd: root })
    expect(stdout.split('\n').filter((line) => line.startsWith('A '))).toHaveLength(3)
    await expect(execa('git', ['rev-parse', 'HEAD'], { cwd: root })).rejects.toThrow()
  })

  it('changes nothing the second time', async () => {
    const { file, text } = await repository()
    await author(file)
    const first = await text(orders)
    const { code, text: told } = await author(file)
    expect([code, await text(orders)]).toEqual([0, first])
    expect(told).toContain('S1 is there already')
    expect(told).toContain('nothing to write')
  })

  it('writes nothing on a dry run', async () => {
    const { root, file } = await repository()
    const { text } = await author(file, '--dry-run')
    expect(text).toContain('+scenario.todo(')
    expect(existsSync(join(root, orders))).toBe(false)
  })

  it('never overwrites a test that somebody has edited, and tells that the plan has moved on', async () => {
    const { file, text, edit } = await repository()
    await author(file)
    await edit(orders, 'clients: 8', 'clients: 800')
    await edit('docs/testing-plans/orders.md', '8 clients, 70%', '12 clients, 70%')
    const edited = await text(orders)
    const { text: told } = await author(file, '--on-exists', 'skip')
    expect(await text(orders)).toBe(edited)
    expect(told).toContain('S1 stays as it is, although the plan has changed since it was generated')
  })

  it('writes a sibling, or over it, only when told to', async () => {
    const { file, text, edit } = await repository()
    await author(file)
    await edit(orders, 'clients: 8', 'clients: 800')
    const edited = await text(orders)
    await author(file, '--scenario', 'S1', '--on-exists', 'sibling')
    expect(await text(orders)).toBe(edited)
    const sibling = await text('test/orders.new.scenario.ts')
    expect(sibling).toContain('clients: 8,')
    await author(file, '--scenario', 'S1', '--on-exists', 'sibling')
    expect(await text('test/orders.new.scenario.ts')).toBe(sibling)
    await author(file, '--scenario', 'S1', '--on-exists', 'overwrite')
    expect(await text(orders)).toBe(sibling)
  })

  it('adds to a file of somebody else without touching a line of it', async () => {
    const { root, file, text } = await repository()
    const own = [
      "import { scenario } from 'vitest-nemesis'",
      'const register = 5 // a name that the scenario needs',
      'export const value =   register  ;  scenario',
    ].join('\n')
    await mkdir(join(root, 'test'))
    await writeFile(join(root, orders), own)
    await author(file, '--scenario', 'S1')
    const added = await text(orders)
    const kept = added.split('\n').filter((line) => own.split('\n').includes(line))
    expect(kept).toEqual(own.split('\n'))
    expect(added).toContain('register as plannedRegister')
    expect(added).toContain('model: plannedRegister(),')
    expect(added.match(/import \{[^}]*\bscenario\b[^}]*\} from 'vitest-nemesis'/g)).toHaveLength(1)
  })

  it('adds two scenarios to a file that needs the same name for something else', async () => {
    const { root, file, text, edit } = await repository()
    await edit('docs/testing-plans/orders.md', 'test/election.scenario.ts', orders)
    await mkdir(join(root, 'test'))
    await writeFile(join(root, orders), 'export const processes = 5\n')
    await author(file, '--scenario', 'S1')
    await author(file, '--scenario', 'S2')
    const added = await text(orders)
    expect(added.match(/processes as plannedProcesses/g)).toHaveLength(1)
    expect(added.match(/nodes: plannedProcesses\(/g)).toHaveLength(2)
    const again = await author(file, '--scenario', 'S1', 'S2')
    expect([again.text.includes('nothing to write'), await text(orders)]).toEqual([true, added])
  })

  it.each([
    ['typescript', orders],
    ['python', 'test/orders_test.py'],
  ])('lets the lines of a file in %s end as they do there', async (language, target) => {
    const { root, file, text, edit } = await repository()
    await edit('docs/testing-plans/orders.md', orders, target)
    await edit('docs/testing-plans/orders.md', 'language:** typescript', `language:** ${language}`)
    const own = '\uFEFF#!/usr/bin/env run\r\nown = 5\r\n\r\n\r\n'
    await mkdir(join(root, 'test'))
    await writeFile(join(root, target), own)
    await author(file, '--scenario', 'S1')
    const added = await text(target)
    expect(added.replaceAll('\r\n', '')).not.toContain('\n')
    expect(added.startsWith('\uFEFF#!/usr/bin/env run\r\n')).toBe(true)
    expect(added).toContain('own = 5\r\n\r\n\r\n')
    const again = await author(file, '--scenario', 'S1')
    expect([again.text.includes('nothing to write'), await text(target)]).toEqual([true, added])
  })

  it('changes nothing after somebody has formatted the file', async () => {
    const { file, root, text } = await repository()
    await author(file)
    const formatted = (await text(orders))
      .replaceAll('\n', '\r\n')
      .replaceAll(/(?<=[\s([{])'|'(?=[,)\]])/g, '"')
      .replaceAll(/\r\n {2,}/g, '\r\n\t')
    await writeFile(join(root, orders), formatted)
    const { text: told } = await author(file)
    expect([told.includes('nothing to write'), await text(orders)]).toEqual([true, formatted])
  })

  it('does not take a table that a formatter has aligned for another plan', async () => {
    const { file, edit } = await repository()
    await author(file)
    await edit('docs/testing-plans/orders.md', '| smoke | 5s | 1 |', '| smoke     | 5s       | 1     |')
    await edit(
      'docs/testing-plans/orders.md',
      "under_asymmetric_partition', { id: 'S1' })",
      'under_asymmetric_partition", {\n  id: "S1",\n});',
    )
    await edit('docs/testing-plans/orders.md', "scenario('linearizable", 'scenario("linearizable')
    await edit('docs/testing-plans/orders.md', '- **Workload:** 8 clients', '* __Workload:__ 8\n  clients')
    expect((await author(file)).text).not.toContain('has changed')
  })

  it('writes below the folder of a project that nothing else tells', async () => {
    const root = await temporaryDirectory()
    await mkdir(join(root, 'docs/testing-plans'), { recursive: true })
    const file = join(root, 'docs/testing-plans/orders.md')
    await cp(sample, file)
    const { text } = await author(file, '--scenario', 'S1')
    expect(text).toContain('not staged: there is no git repository')
    expect(await readFile(join(root, orders), 'utf8')).toContain('from docs/testing-plans/orders.md')
  })

  it('says when git ignores what it has written', async () => {
    const { root, file } = await repository()
    await writeFile(join(root, '.gitignore'), 'test/\n')
    expect((await author(file)).text).toContain('not staged: git ignores a target')
  })

  it('does not improvise a scenario whose oracle is still to be filled', async () => {
    const { root, file, edit, text } = await repository()
    await edit('docs/testing-plans/orders.md', 'linearizable per order, then', 'FILL IN: a checker, then')
    const { code, text: told } = await author(file)
    expect(code).toBe(1)
    expect(told).toMatch(/S1 is not written, as .*: fill in its oracle \(.*orders\.md:\d+\)/)
    expect(existsSync(join(root, orders))).toBe(false)
    expect(await text('test/election.scenario.ts')).toContain("id: 'S2'")
  })

  it('keeps the order in which a plan names its faults', async () => {
    const { file, text, edit } = await repository()
    await edit(
      'docs/testing-plans/orders.md',
      '**Faults:** asymmetric-partition from',
      '**Faults:** pause, then partition from',
    )
    await author(file, '--scenario', 'S1')
    const faults = [...(await text(orders)).matchAll(/nemesis\('([\w-]+)'/g)].map(([, name]) => name)
    expect(faults).toEqual(['pause', 'partition', 'kill'])
  })

  it('writes skeletons in other languages as they stand, with a comment of that language', async () => {
    const { root, file, text, edit } = await repository()
    await edit('docs/testing-plans/orders.md', 'test/orders.scenario.ts', 'test/orders_test.py')
    await edit(
      'docs/testing-plans/orders.md',
      '**Skeleton language:** typescript',
      '**Skeleton language:** python',
    )
    await author(file, '--scenario', 'S1')
    expect(existsSync(join(root, orders))).toBe(false)
    const lines = (await text('test/orders_test.py')).split('\n')
    expect(lines[0]).toMatch(
      /^# S1: generated by nemesis author from docs\/testing-plans\/orders\.md, digest/,
    )
    expect(lines.slice(1).join('\n')).toBe(
      "scenario('linearizable_orders_under_asymmetric_partition', { id: 'S1' })\n",
    )
    const again = await author(file, '--scenario', 'S1')
    expect(again.text).toContain('nothing to write')
  })

  it.each([
    ['up and out', '../out.scenario.ts'],
    ['absolute', '/elsewhere/out.scenario.ts'],
    ['up in the middle', 'test/../../out.scenario.ts'],
    ['the insides of git', '.git/hooks/pre-commit'],
    ['through a link', 'linked/out.scenario.ts'],
  ])('refuses a target that is %s', async (_, target) => {
    const { root, file, edit } = await repository()
    const outside = await temporaryDirectory()
    await symlink(outside, join(root, 'linked'))
    await edit('docs/testing-plans/orders.md', '`test/orders.scenario.ts`', `\`${target}\``)
    const { code, errors } = await author(file)
    expect([code, errors]).toEqual([2, expect.stringMatching(/orders\.md:\d+: S1 has the target/)])
    expect(existsSync(join(outside, 'out.scenario.ts'))).toBe(false)
  })

  it('refuses a plan that may not be executed, and a scenario that there is not', async () => {
    const { root, file, edit } = await repository()
    expect(await author(file, '--scenario', 'S9')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('the plan has no scenario S9 -> it has S1, S2, S3'),
    })
    await edit('docs/testing-plans/orders.md', 'linearizable per order, then', 'the logs look fine, then')
    expect(await author(file)).toMatchObject({ code: 1 })
    expect(existsSync(join(root, 'test'))).toBe(false)
  })
})
