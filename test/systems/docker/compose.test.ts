import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startClock } from '../../../src/history/clock.js'
import { projectName } from '../../../src/systems/docker/compose-command.js'
import { engineAt } from '../../../src/systems/docker/engine.js'
import { ensureImage } from '../../../src/systems/docker/images/ensure.js'
import { docker } from '../../../src/systems/docker/index.js'
import { composeProject, removeComposeProject } from '../../../src/systems/docker/remove.js'
import { openEntries } from '../../support/open-entries.js'
import { requires, wants } from '../../support/requirements.js'
import { cli, echo, echoImage, freshRun } from './containers.js'
import { unusedSubnet } from './unused-subnet.js'

/** A directory with a Compose file of two echo servers and a third that is no node. */
async function project(): Promise<{ directory: string; file: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-compose-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'compose.yml')
  const { text: subnet } = await unusedSubnet()
  const image = await ensureImage(await engineAt(null), echoImage)
  const command = '["sh", "-c", "echo $$GREETING; exec nc -ll -p 7000 -e cat"]'
  const service = `{ image: "${image}", command: ${command}, environment: { GREETING: "\${GREETING}" } }`
  // An explicit subnet: one that the engine chooses might be a real network of the machine's surroundings.
  await writeFile(
    file,
    `version: "3"
services:
  one: ${service}
  two: ${service}
  beside: ${service}
volumes:
  kept: {}
networks:
  default: { ipam: { config: [{ subnet: ${subnet} }] } }
`,
  )
  return { directory, file }
}

async function contextFor(directory: string, runId = freshRun()) {
  const journal = openEntries()
  const signal = new AbortController().signal
  return { runId, logsDir: join(directory, 'logs'), clock: startClock(), journal, signal }
}

/** Containers, networks and volumes of the run's project. */
async function leftOf(run: string): Promise<string[]> {
  const filter = ['--filter', `label=${composeProject(projectName(run))}`]
  const found = await Promise.all([
    cli('ps', '-aq', ...filter),
    cli('network', 'ls', '-q', ...filter),
    cli('volume', 'ls', '-q', ...filter),
  ])
  return found.flatMap((text) => text.split('\n')).filter((line) => line !== '')
}

wants(
  'docker',
  'busybox',
  'compose',
)('a Compose file', () => {
  test('gives its services as nodes, with faults, and is removed at the end', async () => {
    const { directory, file } = await project()
    const context = await contextFor(directory)
    const system = await docker
      .compose(file, { services: { one: [7000], two: [7000] }, env: { GREETING: 'good morning' } })
      .start(context)
    onTestFinished(() => system.stop())
    expect(system.nodes.map(({ name }) => name)).toEqual(['one', 'two'])
    for (const node of system.nodes) expect(await echo(node.address(7000))).toBe('hello')

    const call = async (seconds = 20) =>
      (await system.exec!.run('one', ['sh', '-c', `echo hi | nc -w ${seconds} two 7000`])).stdout
    expect(await call()).toBe('hi\n')
    const rule = await system.network!.block([{ from: 'one', to: 'two' }], 'drop')
    expect(await call(2)).toBe('')
    expect((await rule.counters())[0]?.met).toBeGreaterThan(0)
    await rule.remove()
    await system.lifecycle!.kill('two')
    await system.lifecycle!.start('two')
    // It may be running and not listen yet.
    await expect.poll(() => call()).toBe('hi\n')
    await expect.poll(() => readFile(join(directory, 'logs', 'two.log'), 'utf8')).toContain('good morning')

    await system.stop()
    expect(await leftOf(context.runId)).toEqual([])
    expect([...context.journal.entries.values()]).toEqual([])
  }, 120_000)

  test('is removed by another process through the journal', async () => {
    const { directory, file } = await project()
    const context = await contextFor(directory)
    const system = await docker
      .compose(file, { services: { one: [7000] }, env: { GREETING: 'hi' } })
      .start(context)
    onTestFinished(() => system.stop())
    const entry = [...context.journal.entries.values()].find(({ kind }) => kind === 'docker-compose')
    if (entry?.kind !== 'docker-compose') throw new Error('the project was not journalled')
    expect((await removeComposeProject(entry.project, entry.host)).length).toBeGreaterThanOrEqual(4)
    expect(await leftOf(context.runId)).toEqual([])
  }, 120_000)

  test('names a service that is not in it, and leaves nothing behind', async () => {
    const { directory, file } = await project()
    const context = await contextFor(directory)
    await expect(
      docker.compose(file, { services: { three: [7000] }, env: { GREETING: 'hi' } }).start(context),
    ).rejects.toThrow(/has started no container of the service three[^]*beside, one, two/)
    expect(await leftOf(context.runId)).toEqual([])
    expect([...context.journal.entries.values()]).toEqual([])
  }, 120_000)

  test('is shown with what Compose says of it when it is wrong', async () => {
    const { directory, file } = await project()
    await writeFile(file, 'services: { one: { image: "no-such-image:nowhere", comand: [] } }\n')
    const context = await contextFor(directory)
    await expect(docker.compose(file, { services: { one: [7000] } }).start(context)).rejects.toThrow(
      /cannot be started: [^]*comand[^]*try it by hand/,
    )
    expect(await leftOf(context.runId)).toEqual([])
  }, 120_000)
})

/** A program on the PATH that stands for Docker Compose: writes down how it was called, and fails. */
async function stub(directory: string): Promise<void> {
  const file = join(directory, 'docker-compose')
  await writeFile(
    file,
    `#!/bin/sh
[ "$1" = version ] && exit 0
printf '%s\\n' "$@" "$GREETING" "$NEMESIS_RUN" "$PWD" > ${directory}/called
echo no such image >&2
exit 17
`,
  )
  await chmod(file, 0o755)
}

requires('docker', 'busybox')('the command of Docker Compose', () => {
  test('gets file, project and variables as arguments and environment', async () => {
    const { directory, file } = await project()
    await stub(directory)
    vi.stubEnv('PATH', `${directory}:/usr/bin:/bin`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const context = await contextFor(directory, `${freshRun()}.X`)
    const provider = docker.compose(file, { services: { one: [7000] }, env: { GREETING: '$(id)' } })
    expect(await provider.missing()).toEqual([])
    await expect(provider.start(context)).rejects.toThrow(/cannot be started: no such image/)
    const name = projectName(context.runId)
    expect(name).toMatch(/^nemesis-test-[a-z0-9-]+-x$/)
    expect((await readFile(join(directory, 'called'), 'utf8')).split('\n')).toEqual([
      ...['--project-name', name, '--file', file, 'up', '--detach'],
      ...['$(id)', context.runId, directory, ''],
    ])
    expect([...context.journal.entries.values()]).toEqual([])
  })

  test('is missed by name, as is the file', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'nemesis-empty-'))
    onTestFinished(() => rm(empty, { recursive: true, force: true }))
    vi.stubEnv('PATH', empty)
    onTestFinished(() => void vi.unstubAllEnvs())
    const provider = docker.compose('no-such.yml', { services: { one: [7000] } })
    expect(await provider.missing()).toEqual([
      { what: 'Docker Compose', hint: expect.stringContaining('apt-get install docker-compose-plugin') },
      { what: 'no-such.yml', hint: expect.stringContaining('check the path') },
    ])
    await expect(provider.start(await contextFor(empty))).rejects.toThrow(/there is no Docker Compose/)
  })
})

describe('options of compose', () => {
  test('are checked', () => {
    expect(() => docker.compose('c.yml', { services: {} })).toThrow(/name at least one service/)
    expect(() => docker.compose('c.yml', { services: { one: [] } })).toThrow(/name at least one port/)
    expect(() => docker.compose('', { services: { one: [1] } })).toThrow(/path of a Compose file/)
    expect(() => docker.compose('c.yml', { services: { one: [1] }, scale: 3 } as never)).toThrow(/scale/)
  })
})
