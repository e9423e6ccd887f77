import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { probeCapabilities } from '../../src/environment/capabilities.js'
import { dockerEngine } from '../../src/environment/docker-engine.js'
import { dockerode, vitest } from '../../src/environment/node.js'
import { networkTools } from '../../src/environment/network-tools.js'
import { providerTools } from '../../src/environment/provider-tools.js'
import { servers } from '../../src/environment/servers.js'
import { mounting, tracing } from '../../src/environment/storage-tools.js'
import { requires } from '../support/requirements.js'
import { temporaryDirectory } from '../support/temporary.js'

const here = { cwd: fileURLToPath(new URL('../..', import.meta.url)), env: process.env }

it('finds what runs this test, and says how to get everything else', async () => {
  const capabilities = await probeCapabilities(here)
  const byName = new Map(capabilities.map((capability) => [capability.name, capability]))
  expect(byName.size).toBe(capabilities.length)
  for (const name of ['platform', 'node', 'vitest', 'dockerode'])
    expect(byName.get(name)?.present, name).toBe(true)
  expect(byName.get('node')?.detail).toBe(process.version)
  for (const { name, present, blocks, install } of capabilities) {
    expect(blocks, name).not.toBe('')
    if (!present) expect(install, name).toEqual(expect.stringMatching(/\w/))
  }
})

requires(
  'linux',
  'root',
  'nft',
)('network tools', () => {
  it('are tried in namespaces that nothing else is in', async () => {
    const tools = await Promise.all(networkTools.map((probe) => probe(here)))
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    expect(byName.get('nftables')).toMatchObject({ present: true, detail: 'a table could be added' })
    expect(byName.get('iptables NFQUEUE')?.blocks).toMatch(/first choice/)
    expect(byName.get('tc netem')?.blocks).toMatch(/NFQUEUE cannot be had/)
    // What a kernel lacks is told in its own words.
    for (const { name, present, detail } of tools) if (!present) expect(detail, name).not.toBe('')
  })
})

it('finds Docker Compose by running it, and says how to get it', async () => {
  const directory = await temporaryDirectory()
  const probe = (path: string) =>
    Promise.all(providerTools.map((one) => one({ cwd: directory, env: { ...process.env, PATH: path } })))
  const row = (rows: Awaited<ReturnType<typeof probe>>) => rows.find(({ name }) => name === 'docker compose')
  expect(row(await probe('/nowhere'))).toMatchObject({
    present: false,
    install: expect.stringContaining('docker-compose (Debian)'),
  })
  await writeFile(join(directory, 'docker-compose'), '#!/bin/sh\n', { mode: 0o755 })
  expect(row(await probe(`${directory}:/bin`))).toMatchObject({ present: true })
})

it('sees what a project has installed, and whether it is new enough', async () => {
  const project = await temporaryDirectory()
  const context = { cwd: project, env: {} }
  expect(await dockerode(context)).toMatchObject({ present: false, install: 'npm i -D dockerode' })
  await mkdir(join(project, 'node_modules', 'vitest'), { recursive: true })
  const manifest = join(project, 'node_modules', 'vitest', 'package.json')
  for (const [version, present] of [
    ['3.2.4', false],
    ['4.0.9', false],
    ['4.1.0', true],
    ['5.0.0-rc.1', true],
  ] as const) {
    await writeFile(manifest, JSON.stringify({ version }))
    expect(await vitest(context)).toMatchObject({ present, detail: version })
  }
})

it('finds servers in PATH only', async () => {
  const found = await Promise.all(servers.map((probe) => probe({ cwd: here.cwd, env: { PATH: '/nowhere' } })))
  expect(found.map(({ present }) => present)).toEqual([false, false, false])
})

it('tells an engine from something else, and from nothing', async () => {
  const server = createServer((_request, response) => response.end('<html>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('expected a port')
  const probe = (host: string) => dockerEngine({ cwd: here.cwd, env: { DOCKER_HOST: host } })
  expect(await probe(`tcp://127.0.0.1:${address.port}`)).toMatchObject({
    present: false,
    detail: expect.stringContaining('no Docker engine'),
  })
  expect((await probe('unix:///nowhere/docker.sock')).detail).toContain('ENOENT')
  expect((await probe('ssh://host')).present).toBe(false)
})

requires('docker')('with a Docker engine', () => {
  it('finds it at the usual place', async () => {
    expect(await dockerEngine(here)).toMatchObject({ present: true, detail: expect.stringMatching(/^\d+\./) })
  })
})

requires(
  'linux',
  'root',
  'nft',
)('with nftables', () => {
  it('adds a table, and leaves none behind', async () => {
    const capabilities = await probeCapabilities(here)
    expect(capabilities.find(({ name }) => name === 'nftables')).toMatchObject({ present: true })
    const { execa } = await import('execa')
    expect((await execa('nft', ['list', 'tables'])).stdout).not.toContain('nemesis_probe')
  })
})

requires(
  'linux',
  'root',
  'strace',
)('tools of storage faults', () => {
  it('are tried, and leave nothing behind', async () => {
    for (const probe of [tracing, mounting]) {
      expect(await probe({ cwd: process.cwd(), env: process.env })).toMatchObject({ present: true })
    }
    expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain('nemesis-probe')
  })
})
