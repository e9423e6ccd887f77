import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { planCommand } from '../../../src/cli/plan.js'
import { lint } from '../../../src/plan/lint/lint.js'
import { newPlan } from '../../../src/plan/new/new-plan.js'
import { readPlan } from '../../../src/plan/read-plan.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { typed } from '../../support/typed.js'
import {
  filesOfLayout,
  gitIn,
  layouts,
  repositoryOf,
  repositoryWith,
} from '../../environment/toolbox/repository.js'

/** The command as it is typed in a directory. */
async function nemesis(root: string, ...args: string[]) {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(root)
  try {
    return await typed(planCommand(), 'plan', ...args)
  } finally {
    cwd.mockRestore()
  }
}

const planFile = 'docs/testing-plans/store.md'

test('names the plan as it is reached from where the command was typed', async () => {
  const root = await repositoryWith(new Map([['lib/deep/a.ts', 'export const a = 1']]))
  const { text } = await nemesis(join(root, 'lib/deep'), 'new', 'store')
  expect(existsSync(join(root, planFile))).toBe(true)
  expect(text).toContain(`then: nemesis plan check ../../${planFile}`)
})

describe.each(layouts)('a plan of the layout of %s', (layout) => {
  test('breaks no rule but has places to fill, which are the ones that are listed', async () => {
    const root = await repositoryOf(layout)
    const { code, text, errors } = await nemesis(root, 'new', 'store')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const { plan, source } = await readPlan(join(root, planFile))
    const findings = lint(plan, source, { within: () => true })
    expect([...new Set(findings.map((finding) => finding.code))]).toEqual(['to-fill'])
    const listed = [...text.matchAll(/^(\S+:\d+:\d+) {2}to-fill {2}(.*)$/gm)].map(([, at, reason]) => [
      at,
      reason,
    ])
    expect(listed).toEqual(
      findings.map(({ at, reason }) => [`${planFile}:${at.line}:${at.column}`, reason.split('\n')[0]]),
    )
    expect(text).toContain(`${findings.length} places to fill`)
    expect(source.match(/FILL IN/g)).toHaveLength(findings.length)
  })

  test('states nothing that is not quoted from a line of the repository', async () => {
    const root = await repositoryOf(layout)
    await newPlan(root, 'store', null)
    const files = await filesOfLayout(layout)
    const { plan } = await readPlan(join(root, planFile))
    expect(plan.claims.length).toBeGreaterThan(1)
    for (const { text, source, inferred } of plan.claims) {
      expect(text).toMatch(/^FILL IN: /)
      expect(inferred?.text).toBe('yes')
      const [file = '', line = ''] = source?.text.split(':') ?? []
      const quote = /: "(.*)"$/.exec(text)?.[1] ?? 'no quote'
      const lines = (files.get(file) ?? '').split('\n').slice(Number(line) - 1)
      expect(lines.join(' ')).toContain(quote)
      expect(lines[0]).toContain(quote.split(' ')[0])
    }
  })
})

test('is written to the root of the repository, wherever it is asked for', async () => {
  const root = await repositoryOf('tikv')
  const { code } = await nemesis(join(root, 'components/raftstore'), 'new', 'store', '--project')
  expect(code).toBe(0)
  expect(existsSync(join(root, planFile))).toBe(true)
})

test('says when a change warrants no plan, and what to run instead', async () => {
  const root = await repositoryOf('tikv')
  await writeFile(join(root, 'README.md'), '# Other words\n')
  await gitIn(root)('commit', '--quiet', '--all', '-m', 'Say it in other words')
  const { code, text } = await nemesis(root, 'new', 'store', '--change', 'HEAD')
  expect(code).toBe(0)
  expect(text).toMatch(
    /^no plan warranted: \w{10}\.\.\w{10} changes only documents, and no file was written\n/,
  )
  expect(text).toContain('run instead:\n  read the documents')
  expect(existsSync(join(root, 'docs'))).toBe(false)
})

test('walks every pitfall, and says where a sign of it was seen', async () => {
  const root = await repositoryOf('etcd')
  await newPlan(root, 'store', null)
  const source = await readFile(join(root, planFile), 'utf8')
  const walked = /### Pitfalls walked\n\n([^]*?)\n\n/.exec(source)?.[1]?.split('\n').slice(2) ?? []
  expect(walked).toHaveLength(16)
  expect(source).toContain(
    '| Stale reads from followers and former leaders | maybe | "not leader" in server/etcdserver/server.go:9 |',
  )
  for (const row of walked) expect(row).toMatch(/\| maybe \| ".+" in \S+:\d+ \||\| FILL IN: y, n or maybe \|/)
})

test('a repository that says nothing gets a plan that asks for everything', async () => {
  const root = await repositoryWith(new Map([['main.c', 'int main(void) { return 0; }\n']]))
  const made = await newPlan(root, 'store', null)
  if (made.kind !== 'written') throw new Error('not written')
  expect(made.open.every(({ code }) => code === 'to-fill')).toBe(true)
  const { plan } = await readPlan(join(root, planFile))
  expect(plan.claims.map(({ text }) => text)).toEqual([
    'FILL IN: what the system promises; no document or error type was found that says so',
  ])
})

test('claims about boundaries and fairness get arms; cells hold what would end them', async () => {
  const text =
    'A tenant must never see the rows of another | even `a|b`. Quotas are guaranteed to be <fair>.\n'
  const root = await repositoryWith(new Map([['docs/a b.md', text]]))
  const made = await newPlan(root, 'store', null)
  if (made.kind !== 'written') throw new Error('not written')
  expect(made.open.every(({ code }) => code === 'to-fill')).toBe(true)
  const { plan } = await readPlan(join(root, planFile))
  expect(plan.claims.map(({ categories }) => categories[0]?.text)).toEqual(['fairness', 'boundary'])
  expect(plan.scenarios.map(({ arms, model }) => [arms.length, model])).toEqual([
    [1, null],
    [1, null],
  ])
})

describe('a plan is refused', () => {
  test('when there is one already, which stays as it is', async () => {
    const root = await repositoryOf('tikv')
    await mkdir(join(root, 'docs/testing-plans'), { recursive: true })
    await writeFile(join(root, planFile), 'mine')
    const { code, errors } = await nemesis(root, 'new', 'store')
    expect(code).toBe(2)
    expect(errors).toContain('there is such a plan already')
    expect(await readFile(join(root, planFile), 'utf8')).toBe('mine')
  })

  test.each(['../evil', 'Orders', 'a/b', '', '-x', 'a..b', 'a'.repeat(61)])(
    'for the slug %j',
    async (slug) => {
      const root = await repositoryOf('tikv')
      const { code, errors } = await nemesis(root, 'new', '--', slug)
      expect(code).toBe(2)
      expect(errors).toContain('this cannot name a plan')
      expect(existsSync(join(root, 'docs'))).toBe(false)
    },
  )

  test('where a link leads outside of the repository', async () => {
    const root = await repositoryOf('tikv')
    const outside = await temporaryDirectory()
    await symlink(outside, join(root, 'docs'))
    const { code, errors } = await nemesis(root, 'new', 'store')
    expect(code).toBe(2)
    expect(errors).toContain('a link leads outside of the repository')
    expect(existsSync(join(outside, 'testing-plans'))).toBe(false)
  })

  test.each(['nonsense', '--output=x', 'HEAD..nonsense', 'HEAD..HEAD'])(
    'for the revisions %s',
    async (revisions) => {
      const root = await repositoryOf('tikv')
      const { code, errors } = await nemesis(root, 'new', 'store', `--change=${revisions}`)
      expect(code).toBe(2)
      expect(errors).toMatch(/knows no commit|nothing changes/)
      expect(existsSync(join(root, 'docs'))).toBe(false)
    },
  )

  test('for a change and the project at once', async () => {
    const root = await repositoryOf('tikv')
    const { code, errors } = await nemesis(root, 'new', 'store', '--project', '--change', 'HEAD')
    expect(code).toBe(2)
    expect(errors).toContain('cannot be used with')
  })

  test('for a change outside of a git repository', async () => {
    const root = await temporaryDirectory()
    await writeFile(join(root, 'package.json'), '{}')
    const { code, errors } = await nemesis(root, 'new', 'store', '--change', 'HEAD')
    expect(code).toBe(2)
    expect(errors).toContain('knows no commit "HEAD"')
  })
})

test('reads no file that git ignores, and none through a link', async () => {
  const root = await repositoryOf('etcd')
  const outside = await temporaryDirectory()
  await writeFile(join(outside, 'secret.md'), 'The secret is guaranteed to be durable and consistent.\n')
  await symlink(join(outside, 'secret.md'), join(root, 'linked.md'))
  await gitIn(root)('add', '--all')
  await newPlan(root, 'store', null)
  const source = await readFile(join(root, planFile), 'utf8')
  expect(source).not.toContain('TestIgnoredByGit')
  expect(source).not.toContain('secret')
})
