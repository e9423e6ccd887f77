import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { sessionRecordSchema } from '../../src/session/record.js'
import { requires } from '../support/requirements.js'
import { temporaryDirectory } from '../support/temporary.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ownEnv = { CI: '', NO_COLOR: '1', GITHUB_ACTIONS: '', NEMESIS_TIER: '' }

/** Runs a program of the project under test with Node. */
function node(project: string, file: string, ...args: string[]) {
  const options = { cwd: project, env: ownEnv, reject: false, timeout: 240_000, all: true } as const
  return execa(process.execPath, [join(project, 'node_modules', file), ...args], options)
}

const nemesis = (project: string, ...args: string[]) =>
  node(project, 'vitest-nemesis/dist/src/cli/main.js', ...args)

async function emptyProject(): Promise<string> {
  const project = await temporaryDirectory()
  await mkdir(join(project, 'node_modules', '.bin'), { recursive: true })
  await symlink(root, join(project, 'node_modules', 'vitest-nemesis'))
  await symlink(join(root, 'node_modules', 'vitest'), join(project, 'node_modules', 'vitest'))
  await symlink('../vitest/vitest.mjs', join(project, 'node_modules', '.bin', 'vitest'))
  return project
}

async function sessionsOf(project: string): Promise<string[]> {
  const sessions = join(project, 'test-sessions')
  const [slug = ''] = await readdir(sessions)
  return (await readdir(join(sessions, slug))).toSorted().map((name) => join(sessions, slug, name))
}

async function reportOf(session: string) {
  return sessionRecordSchema.parse(
    JSON.parse(await readFile(join(session, 'findings', 'report.json'), 'utf8')),
  )
}

requires('linux')('the first five minutes', () => {
  it('init, run, report and replay work one after the other', { timeout: 900_000 }, async () => {
    const project = await emptyProject()
    expect((await nemesis(project, 'init')).exitCode).toBe(0)

    const run = await node(project, 'vitest/vitest.mjs', 'run')
    expect(run.exitCode, run.all).toBe(0)
    const [session = ''] = await sessionsOf(project)
    const report = await reportOf(session)
    expect(report.verdict).toBe('DONE')
    const [scenario] = report.scenarios
    expect(scenario?.ruling.verdict).toBe('PASS-smoke')
    expect(scenario?.runs[0]?.faults.map(({ fault, landed }) => [fault, landed])).toEqual([
      ['kill', true],
      ['pause', true],
    ])

    const rendered = await readFile(join(session, 'findings', 'report.md'), 'utf8')
    expect(rendered).toContain('running -> exited by SIGKILL')
    const again = await nemesis(project, 'report', session)
    expect(again.exitCode, again.all).toBe(0)
    expect(await readFile(join(session, 'findings', 'report.md'), 'utf8')).toBe(rendered)

    const history = scenario?.runs[0]?.history ?? ''
    const checked = await nemesis(project, 'check', join(session, history), '--model', 'register', '--json')
    expect(checked.exitCode, checked.all).toBe(0)

    const replay = await nemesis(project, 'replay', session, '--scenario', 'S1')
    expect(replay.exitCode, replay.all).toBe(0)
    const [, second = ''] = await sessionsOf(project)
    const replayed = await reportOf(second)
    expect(replayed.scenarios[0]?.runs[0]?.seed).toBe(scenario?.runs[0]?.seed)
  })
})

it.each([
  [['nope'], "nemesis: unknown command 'nope'"],
  [['report'], "nemesis: missing required argument 'session'"],
  [['check', 'nowhere.ndjson', '--model', 'register'], 'nowhere.ndjson: no such file'],
])('the built command ends %j with 2 and one line', async (args, line) => {
  const { exitCode, stderr, stdout } = await execa('node', [join(root, 'dist/src/cli/main.js'), ...args], {
    reject: false,
    timeout: 100_000,
  })
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(line)
  expect(stderr.split('\n')).toHaveLength(1)
})
