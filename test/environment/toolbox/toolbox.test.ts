import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFiles } from '../../../src/environment/toolbox/project-files.js'
import { readProject } from '../../../src/environment/toolbox/project.js'
import { discoverToolbox, toolboxOf } from '../../../src/environment/toolbox/toolbox.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { repositoryOf, repositoryWith, writeFiles } from './repository.js'

/** `kind name: command` of what is found in files. */
function toolsIn(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(files))
  return toolboxOf({ files: [...texts.keys()], texts }).map(
    ({ kind, name, command }) => `${kind} ${name}: ${command ?? '-'}`,
  )
}

describe('finds the toolbox of', () => {
  test('a Go service with Compose files and chaos tests', async () => {
    const tools = await discoverToolbox(await repositoryOf('etcd'))
    expect(tools.map(({ kind, name, command }) => `${kind} ${name}: ${command ?? '-'}`)).toEqual([
      'make-target build: make build',
      'make-target test-unit: make test-unit',
      'make-target test-short: make test-short',
      'make-target verify: make verify',
      'make-target antithesis-run: make -C tests/antithesis antithesis-run',
      'make-target test-robustness: make -f tests/robustness/makefile.mk test-robustness',
      'compose etcd0, etcd1, etcd2, client: docker compose -f tests/antithesis/config/docker-compose-3-node.yml up -d',
      'layout Go module example.test/etcd/v3: go test ./...',
      'layout Go module example.test/etcd/server/v3: go -C server test ./...',
      'layout Go module example.test/etcd/tests/v3: go -C tests test ./...',
      'suite antithesis: -',
      'suite e2e: go -C tests test ./e2e/...',
      'suite integration: go -C tests test ./integration/...',
      'suite robustness: go -C tests test ./robustness/...',
      'document What to do when members fail: -',
      'workflow Robustness nightly: main: -',
      'workflow Tests: unit, integration: -',
    ])
  })

  test('a Rust workspace', async () => {
    const tools = await discoverToolbox(await repositoryOf('tikv'))
    expect(tools.map(({ kind, name, file }) => `${kind} ${name} (${file})`)).toEqual([
      'make-target dev (Makefile)',
      'make-target format (Makefile)',
      'make-target clippy (Makefile)',
      'make-target test_with_nextest (Makefile)',
      'layout Cargo workspace (Cargo.toml)',
      'suite failpoints (tests/failpoints)',
      'suite integrations (tests/integrations)',
      'workflow PR CI: test (.github/workflows/pr-ci.yml)',
    ])
  })

  test('a TypeScript monorepo', async () => {
    const tools = await discoverToolbox(await repositoryOf('testcontainers-node'))
    expect(tools.map(({ kind, command, file }) => `${kind} ${command ?? '-'} (${file})`)).toEqual([
      'package-script npm run test (package.json)',
      'package-script npm run test:ci (package.json)',
      'package-script npm run lint (package.json)',
      'package-script npm run check-compiles (package.json)',
      'package-script npm run docs:serve (package.json)',
      'package-script npm --prefix packages/testcontainers run build (packages/testcontainers/package.json)',
      'compose docker compose -f packages/testcontainers/fixtures/docker-compose/docker-compose.yml up -d (packages/testcontainers/fixtures/docker-compose/docker-compose.yml)',
      'workflow - (.github/workflows/checks.yml)',
    ])
  })
})

describe('reads', () => {
  test('scripts by the package manager whose lock file is there', () => {
    const manifest = '{ "scripts": { "test": "vitest", "e2e; rm": "x" } }'
    expect(toolsIn({ 'package.json': manifest })).toEqual([
      'package-script test: npm run test',
      "package-script e2e; rm: npm run 'e2e; rm'",
    ])
    expect(toolsIn({ 'pnpm-lock.yaml': '', 'a b/package.json': manifest })[0]).toBe(
      "package-script test: pnpm --dir 'a b' run test",
    )
    expect(toolsIn({ 'yarn.lock': '', 'package.json': manifest })[0]).toBe(
      'package-script test: yarn run test',
    )
    expect(toolsIn({ 'package.json': '{ "scripts": [' })).toEqual([])
  })

  test('make files: targets, no variables, patterns or recipes', () => {
    expect(
      toolsIn({ Makefile: 'A := b\nB ?= c\n.PHONY: x\nx y: z\n\techo q: r\n%.o: %.c\n$(A): b\nw:: v\n' }),
    ).toEqual(['make-target x: make x', 'make-target y: make y', 'make-target w: make w'])
  })

  test('justfiles: recipes, no assignments, settings or private recipes', () => {
    expect(
      toolsIn({
        justfile:
          "set shell := ['sh']\nalias t := test\nv := '1'\n@test name='a': build\n  x: y\n_own:\nbuild:\n",
      }),
    ).toEqual(['just-recipe test: just test', 'just-recipe build: just build'])
  })

  test('Taskfiles: tasks that are not internal', () => {
    expect(
      toolsIn({
        'ops/Taskfile.yml': 'version: 3\ntasks:\n  chaos:kill: kill it\n  own:\n    internal: true\n',
      }),
    ).toEqual(['task chaos:kill: task --dir ops chaos:kill'])
    expect(toolsIn({ 'Taskfile.yml': 'tasks: [' })).toEqual([])
  })

  test('xtask: the words that its main file matches', () => {
    expect(
      toolsIn({ 'xtask/src/main.rs': 'match a { Some("soak") => s(), "dist" | "d" => d(), _ => () }' }),
    ).toEqual(['xtask soak: cargo xtask soak', 'xtask dist: cargo xtask dist'])
    expect(toolsIn({ 'xtask/src/main.rs': 'fn main() {}' })).toEqual(['xtask xtask: cargo xtask'])
  })

  test('Compose files, also ones that are no YAML or expand without end', () => {
    expect(toolsIn({ 'compose.yaml': 'services:\n  a: {}\n  b: {}\n' })[0]).toBe(
      'compose a, b: docker compose -f compose.yaml up -d',
    )
    const unread = 'compose services that could not be read: docker compose -f docker-compose.prod.yml up -d'
    expect(toolsIn({ 'docker-compose.prod.yml': 'services: {{ .Values }}: [' })[0]).toBe(unread)
    const levels = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    for (const [index, name] of 'bcdefghi'.split('').entries()) {
      const above = 'abcdefgh'[index]
      levels.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${above}`).join(', ')}]`)
    }
    expect(toolsIn({ 'docker-compose.prod.yml': levels.join('\n') })[0]).toBe(unread)
  })

  test('the usual layouts', () => {
    expect(
      toolsIn({
        'Cargo.toml': '[package]\nname = "a"\n',
        'pyproject.toml': '[tool.pytest.ini_options]\n',
        'pom.xml': '<project/>',
        'build.gradle.kts': '',
        gradlew: '',
      }),
    ).toEqual([
      'layout Cargo package: cargo test',
      'layout pytest: pytest',
      'layout Maven: mvn test',
      'layout Gradle: ./gradlew test',
    ])
  })

  test('suites by their folders or files, the outermost once, and nothing that only sounds like one', () => {
    expect(
      toolsIn({
        'chaos/kill/run.sh': '',
        'chaos/net/run.sh': '',
        'test/e2e-tests/a.spec.ts': '',
        'src/fault.ts': '',
        'src/recovery/log.ts': '',
        'examples/crash/a.scenario.ts': '',
        'tests/soak.py': '',
        'docs/chaos/plan.md': '',
      }).filter((line) => line.startsWith('suite')),
    ).toEqual(['suite chaos: -', 'suite e2e-tests: -', 'suite crash: -', 'suite soak.py: -'])
  })

  test('documents for operators, and CI of several kinds', () => {
    expect(
      toolsIn({
        'docs/runbooks/failover.md': 'text\n\n# Fail over\n',
        'ops/RECOVERY.adoc': '= Restore\n',
        'docs/operator.md': '# No\n',
        'shop/readme.md': '# No\n',
        '.gitlab-ci.yml': 'unit:\n  script: x\n',
        Jenkinsfile: 'pipeline {}',
      }),
    ).toEqual([
      'document Fail over: -',
      'document Restore: -',
      'workflow .gitlab-ci.yml: -',
      'workflow Jenkinsfile: -',
    ])
  })
})

describe('lists files', () => {
  test('that git does not ignore, tracked or not, without code of others', async () => {
    const root = await repositoryWith(
      new Map([
        ['.gitignore', 'secret\n'],
        ['a.md', ''],
        ['vendor/x/Makefile', 'x:\n'],
      ]),
    )
    await writeFiles(
      root,
      new Map([
        ['secret', ''],
        ['new.md', ''],
      ]),
    )
    expect(await projectFiles(root, 100)).toEqual({
      files: ['.gitignore', 'a.md', 'new.md'],
      truncated: false,
    })
    expect(await projectFiles(root, 2)).toEqual({ files: ['.gitignore', 'a.md'], truncated: true })
  })

  test('without git by a walk that follows no links', async () => {
    const root = await temporaryDirectory()
    const files = ['b/c/d.ts', 'a.md', 'node_modules/x/y.js', 'dist/z.js']
    await writeFiles(root, new Map(files.map((file) => [file, ''])))
    await symlink(root, join(root, 'b/loop'))
    expect(await projectFiles(root, 100)).toEqual({ files: ['a.md', 'b/c/d.ts'], truncated: false })
  })

  test('and reads the text of those that are wanted, and of regular files only', async () => {
    const root = await repositoryWith(
      new Map([
        ['a.md', 'A'],
        ['b.md', 'B'],
        ['c.ts', 'C'],
      ]),
    )
    await symlink('/etc/hostname', join(root, 'linked.md'))
    await writeFile(join(root, 'binary.md'), Uint8Array.of(0, 1))
    await writeFile(join(root, 'large.md'), 'x'.repeat(300_000))
    const { files, texts } = await readProject(root, (file) => file.endsWith('.md') && file !== 'b.md')
    expect(files).toEqual(['a.md', 'b.md', 'binary.md', 'c.ts', 'large.md', 'linked.md'])
    expect([...texts]).toEqual([['a.md', 'A']])
  })
})
