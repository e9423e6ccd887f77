import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plannedChanges } from '../../src/plan/author/changes.js'
import { driftOf } from '../../src/plan/drift/drift.js'
import { testsOf } from '../../src/plan/drift/tests.js'
import { lint } from '../../src/plan/lint/lint.js'
import { parsePlan } from '../../src/plan/parse/parse.js'
import { isWithin } from '../../src/plan/project-root.js'
import { temporaryDirectory } from '../support/temporary.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

describe.each([
  'examples/quorum-register/docs/testing-plans/quorum-register.md',
  'examples/etcd-docker/docs/testing-plans/etcd.md',
])('%s', (path) => {
  const source = readFileSync(join(root, path), 'utf8')
  const plan = parsePlan(source, path)

  it('may be executed', () => {
    expect(lint(plan, source, { within: (target) => isWithin(root, target) })).toEqual([])
  })

  it('has a test for every scenario, made from the plan as it is', () => {
    expect(driftOf(plan, testsOf(plan, root))).toEqual([])
  })

  it('is authored into every scenario where there is none yet', async () => {
    const empty = await temporaryDirectory()
    const { changes } = await plannedChanges({
      plan,
      planPath: path,
      root: empty,
      onExists: async () => 'skip',
    })
    expect(changes.flatMap(({ scenarios }) => scenarios)).toEqual(plan.scenarios.map(({ id }) => id))
    for (const { name } of plan.scenarios) expect(changes[0]?.after).toContain(`scenario.todo('${name}', {`)
  })
})
