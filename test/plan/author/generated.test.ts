import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalog } from '../../../src/checkers/catalog.js'
import { checkerName } from '../../../src/plan/lint/names.js'
import { modelNames } from '../../../src/models/named.js'
import { faults } from '../../../src/nemesis/faults/index.js'
import { plannedChanges } from '../../../src/plan/author/changes.js'
import { parsePlan } from '../../../src/plan/parse/parse.js'
import { DocumentProject } from '../../docs/project.js'

const sample = new URL('../../fixtures/plans/orders.md', import.meta.url)

/** A project with the scenarios of a plan, as they are generated. */
async function projectOf(plan: string) {
  const project = await DocumentProject.create()
  const { directory } = project
  const { changes } = await plannedChanges({
    plan: parsePlan(plan, 'orders.md'),
    planPath: 'orders.md',
    root: directory,
    onExists: async () => 'skip',
  })
  for (const { file, after } of changes) {
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, after)
  }
  await cp(
    new URL('../../../templates/vitest.config.ts', import.meta.url),
    join(directory, 'vitest.config.ts'),
  )
  return { project, changes }
}

describe('generated scenarios', { timeout: 150_000 }, () => {
  it('compile as they stand, run, and are NOT-RUN', async () => {
    const { project } = await projectOf(await readFile(sample, 'utf8'))
    expect(await project.complaints()).toEqual([])
    const { code, output } = await project.vitest()
    expect([code, output.includes('Error')], output).toEqual([0, false])
    for (const name of [
      'linearizable_orders_under_asymmetric_partition',
      'leader_elected_within_five_seconds_under_pauses',
      'tenants_are_isolated_on_every_surface',
    ]) {
      expect(output).toMatch(new RegExp(`NOT-RUN +${name}`))
    }
  })

  it('compile with every checker, model and fault that there is', async () => {
    const source = await readFile(sample, 'utf8')
    const section = /### S1: [\s\S]*?(?=### S2)/.exec(source)?.[0] ?? ''
    const checkers = catalog.map(checkerName).join(', ')
    const scenarios = modelNames.map((model, index) =>
      section
        .replace(/### S1: \w+/, `### S${index + 10}: claim_about_${model.replaceAll('-', '_')}`)
        .replace('test/orders', `test/${model}`)
        .replace('under test:** register', `under test:** ${model}`)
        .replace('**Checker:** linearizable, no-lost-ack', `**Checker:** ${checkers}`)
        .replace(/\*\*Faults:\*\* .*/, `**Faults:** ${Object.keys(faults).join(', ')}`),
    )
    const { project, changes } = await projectOf(source.replace(section, scenarios.join('\n')))
    expect(changes).toHaveLength(modelNames.length + 2)
    expect(await project.complaints()).toEqual([])
  })

  it('text of a plan is never code', async () => {
    const source = (await readFile(sample, 'utf8'))
      .replace('An acknowledged order', "An 'order' ${process.exit()} */ \\ \u2028 acknowledged")
      .replace('8 clients, 70%', "8 clients \u2028 process.exit() // ' 70%")
    const { project, changes } = await projectOf(source)
    expect(await project.complaints()).toEqual([])
    expect(changes[0]?.after).toContain(String.raw`'An \'order\' ${'$'}{process.exit()} */ \\`)
  })
})

it(
  'DIST_TEST_AUTHOR_MODE=1 writes what is missing before tests are collected',
  { timeout: 150_000 },
  async () => {
    const project = await DocumentProject.create()
    const { directory } = project
    await cp(sample, join(directory, 'orders.md'))
    await writeFile(
      join(directory, 'vitest.config.ts'),
      [
        "import { nemesis } from 'vitest-nemesis/plugin'",
        "export default { plugins: [nemesis({ plan: 'orders.md' })] }",
      ].join('\n'),
    )
    const first = await project.vitest([], { DIST_TEST_AUTHOR_MODE: '1' })
    expect(first.output).toContain('nemesis  wrote S1 to test/orders.scenario.ts')
    expect(first.output).toMatch(/NOT-RUN +linearizable_orders_under_asymmetric_partition/)
    const second = await project.vitest([], { DIST_TEST_AUTHOR_MODE: '1' })
    expect(second.output).not.toContain('nemesis  wrote')
  },
)
