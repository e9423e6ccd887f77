import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newPlan } from '../../../src/plan/new/new-plan.js'
import { readPlan } from '../../../src/plan/read-plan.js'
import {
  filesOfLayout,
  gitIn,
  repositoryOf,
  writeFiles,
  type Layout,
} from '../../environment/toolbox/repository.js'

const planFile = 'docs/testing-plans/store.md'

type Edits = Readonly<Record<string, (text: string) => string>>

/** A repository of a layout with a commit that edits files; a file that is not there is added. */
async function changed(layout: Layout, edits: Edits) {
  const root = await repositoryOf(layout)
  const files = await filesOfLayout(layout)
  const edited = Object.entries(edits).map(([file, edit]) => {
    const before = files.get(file) ?? ''
    const after = edit(before)
    expect(after, `the edit of ${file}`).not.toBe(before)
    return [file, after] as const
  })
  await writeFiles(root, new Map(edited))
  const git = gitIn(root)
  await git('add', '--all')
  await git('commit', '--quiet', '-m', 'Change something')
  return root
}

async function planned(layout: Layout, edits: Edits) {
  const root = await changed(layout, edits)
  const made = await newPlan(root, 'store', 'HEAD')
  return { root, made, written: existsSync(join(root, planFile)) }
}

const wal = 'server/storage/wal/wal.go'
const peer = 'components/raftstore/src/store/peer.rs'
const retry = 'packages/testcontainers/src/common/retry.ts'

describe('no plan is warranted', () => {
  test.each<[string, Layout, Edits, string[]]>([
    ['documents', 'etcd', { 'README.md': (text) => `${text}\nMore words.\n` }, ['documents']],
    [
      'a new document and a picture',
      'etcd',
      { 'docs/new.md': () => '# New\n', 'docs/picture.svg': () => '<svg/>' },
      ['documents'],
    ],
    [
      'a comment in Go',
      'etcd',
      { [wal]: (text) => text.replace('// Save appends', '// Save adds') },
      ['comments'],
    ],
    [
      'a comment in Rust',
      'tikv',
      { [peer]: (text) => text.replace('/// Applies', '/* it */\n/// Takes') },
      ['comments'],
    ],
    [
      'a comment in TypeScript',
      'testcontainers-node',
      { [retry]: (text) => text.replace('return timeoutMs', 'return timeoutMs // at once') },
      ['comments'],
    ],
    [
      'an import in Go that nothing used',
      'etcd',
      { 'server/etcdserver/server.go': (text) => text.replace('\t"errors"\n', '') },
      ['imports'],
    ],
    [
      'a use in Rust',
      'tikv',
      { [peer]: (text) => text.replace('use crate::errors::Error;\n', '') },
      ['imports'],
    ],
    [
      'an import in TypeScript',
      'testcontainers-node',
      {
        'packages/testcontainers/src/reaper/reaper.ts': (text) =>
          text.replace("import { retry } from '../common/retry'\n", ''),
      },
      ['imports'],
    ],
    [
      'a typo in a message',
      'tikv',
      { 'components/raftstore/src/errors.rs': (text) => text.replace('the raft store', 'the rafft store') },
      ['typos'],
    ],
    [
      'documents and comments',
      'etcd',
      { 'README.md': (text) => `${text}x`, [wal]: (text) => text.replace('// Save', '// It') },
      ['documents', 'comments'],
    ],
  ])('for %s', async (_, layout, edits, reasons) => {
    const { made, written } = await planned(layout, edits)
    expect(made).toMatchObject({ kind: 'not-warranted', reasons })
    expect(written).toBe(false)
    if (made.kind === 'not-warranted') expect(made.instead.length).toBeGreaterThan(0)
  })
})

test('names the lighter tests to run instead', async () => {
  const docs = await planned('testcontainers-node', { 'README.md': (text) => `${text}x` })
  expect(docs.made).toMatchObject({
    instead: ['read the documents as they are rendered, and follow their links'],
  })
  const comment = await planned('testcontainers-node', {
    [retry]: (text) => text.replace('Tries again', 'Tries once more'),
  })
  expect(comment.made).toMatchObject({
    instead: [
      'npm run lint (package.json)',
      'the tests in packages/modules/kafka/src/kafka-container.test.ts',
      'the tests in packages/testcontainers/src/common/retry.test.ts',
      'the tests in packages/testcontainers/src/generic-container/generic-container-restart.test.ts',
    ],
  })
  const imports = await planned('etcd', {
    'server/etcdserver/server.go': (text) => text.replace('\t"errors"\n', ''),
  })
  expect(imports.made).toMatchObject({
    instead: [
      'make build (Makefile)',
      'the tests in server/etcdserver/server_test.go',
      'the tests in tests/e2e/ctl_v3_kv_test.go',
    ],
  })
})

describe('a plan is warranted', () => {
  test.each<[string, Layout, Edits]>([
    [
      'code',
      'etcd',
      { [wal]: (text) => text.replace('error { return nil }', 'error { return errInternal }') },
    ],
    [
      'code next to a comment',
      'etcd',
      { [wal]: (text) => text.replace('// Save', '// It').replace('nil }', 'errInternal }') },
    ],
    [
      'documents and code',
      'etcd',
      { 'README.md': (text) => `${text}x`, [wal]: (text) => text.replace('nil }', 'errInternal }') },
    ],
    ['a comment that the compiler obeys', 'etcd', { [wal]: (text) => `//go:build linux\n${text}` }],
    [
      'an import that was not there',
      'etcd',
      { [wal]: (text) => text.replace('import "errors"', 'import (\n\t"errors"\n\t"os"\n)') },
    ],
    [
      'an import that is there for its effect',
      'testcontainers-node',
      { [retry]: (text) => `import './set-up'\n${text}` },
    ],
    [
      'an import from elsewhere',
      'testcontainers-node',
      {
        'packages/testcontainers/src/reaper/reaper.ts': (text) =>
          text.replace("'../common/retry'", "'../common/again'"),
      },
    ],
    ['a number in a message', 'etcd', { [wal]: (text) => text.replace('wal: internal', 'wal: internal 2') }],
    [
      'a string that is no sentence',
      'etcd',
      { [wal]: (text) => text.replace('wal: internal', 'wal: internol') },
    ],
    [
      'configuration',
      'etcd',
      { 'tests/antithesis/config/docker-compose-3-node.yml': (text) => text.replace('latest', 'main') },
    ],
    ['a new file', 'tikv', { 'components/raftstore/src/store/lease.rs': () => '// nothing yet\n' }],
  ])('for %s', async (_, layout, edits) => {
    const { made, written } = await planned(layout, edits)
    if (made.kind !== 'written') throw new Error('not written')
    expect(written).toBe(true)
    expect([...new Set(made.open.map(({ code }) => code))]).toEqual(['to-fill'])
  })

  test('for a file that is gone', async () => {
    const root = await repositoryOf('etcd')
    await rm(join(root, wal))
    const git = gitIn(root)
    await git('add', '--all')
    await git('commit', '--quiet', '-m', 'Take the log away')
    const made = await newPlan(root, 'store', 'HEAD')
    expect(made.kind).toBe('written')
    const { plan } = await readPlan(join(root, planFile))
    expect(plan.sections.get('1')?.text).toContain(`${wal} | deleted`)
  })
})

describe('a change-scoped plan', () => {
  test('names the change, the files, the surfaces, what uses them, and the tests near it', async () => {
    const { root, made } = await planned('etcd', {
      [wal]: (text) => text.replace('error { return nil }', 'error { return errInternal }'),
    })
    if (made.kind !== 'written') throw new Error('not written')
    const { scope } = made.findings
    expect(scope?.change.files.map(({ file, status }) => [file, status])).toEqual([[wal, 'modified']])
    expect(scope?.surfaces.map(({ name }) => name)).toEqual(['storage'])
    expect(scope?.dependents).toEqual([
      { file: 'server/etcdserver/server.go', through: wal, steps: 1 },
      { file: 'server/storage/wal/wal_test.go', through: wal, steps: 1 },
      { file: 'server/etcdserver/server_test.go', through: 'server/etcdserver/server.go', steps: 2 },
      { file: 'tests/e2e/ctl_v3_kv_test.go', through: 'server/etcdserver/server.go', steps: 2 },
    ])
    expect(scope?.near.map(({ name }) => name)).toEqual([
      'TestPut',
      'TestSaveIsSynced',
      'TestRepairAfterTornWrite',
      'TestCtlV3Put',
    ])
    const { plan } = await readPlan(join(root, planFile))
    expect(plan.mode?.text).toBe('change-scoped')
    expect(plan.change?.text).toMatch(/^[0-9a-f]{10}\.\.[0-9a-f]{10}$/)
    expect(plan.claims[0]?.source?.text).toBe('server/etcdserver/server.go:9')
  })

  test('follows the crates of a workspace', async () => {
    const { made } = await planned('tikv', { [peer]: (text) => text.replace('Ok(term)', 'Ok(term + 1)') })
    expect(made).toMatchObject({
      findings: {
        scope: {
          dependents: [
            { file: 'cmd/tikv-server/src/main.rs', steps: 1 },
            { file: 'tests/failpoints/cases/test_conf_change.rs', steps: 1 },
          ],
        },
      },
    })
  })

  test('follows the packages of a workspace', async () => {
    const { made } = await planned('testcontainers-node', {
      [retry]: (text) => text.replace('return timeoutMs', 'return timeoutMs + 1'),
    })
    expect(made).toMatchObject({
      findings: {
        scope: {
          dependents: [
            { file: 'packages/testcontainers/src/common/retry.test.ts', steps: 1 },
            { file: 'packages/testcontainers/src/index.ts', steps: 1 },
            { file: 'packages/testcontainers/src/reaper/reaper.ts', steps: 1 },
            { file: 'packages/modules/kafka/src/kafka-container.ts', steps: 2 },
            {
              file: 'packages/testcontainers/src/generic-container/generic-container-restart.test.ts',
              steps: 2,
            },
            { file: 'packages/modules/kafka/src/kafka-container.test.ts', steps: 3 },
          ],
        },
      },
    })
  })

  test('takes a range, and the first commit', async () => {
    const root = await changed('tikv', { [peer]: (text) => text.replace('Ok(term)', 'Ok(term + 1)') })
    const range = await newPlan(root, 'range', 'HEAD~1..HEAD')
    expect(range).toMatchObject({
      kind: 'written',
      findings: { scope: { change: { subjects: ['Change something'] } } },
    })
    const first = await newPlan(root, 'first', 'HEAD~1')
    expect(first).toMatchObject({ kind: 'written', findings: { scope: { change: { subjects: ['Begin'] } } } })
  })
})
