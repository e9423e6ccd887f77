import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { Capability } from '../../src/environment/probe.js'
import { needsOf } from '../../src/plan/needs.js'
import { parsePlan } from '../../src/plan/parse/parse.js'

const source = await readFile(new URL('../fixtures/plans/orders.md', import.meta.url), 'utf8')

function capability(name: string, detail: string | null): Capability {
  return {
    name,
    present: detail !== null,
    detail: detail ?? 'not there',
    blocks: 'something',
    install: `get ${name}`,
  }
}

function needs(capabilities: readonly Capability[], edit: (text: string) => string = (text) => text) {
  return needsOf(parsePlan(edit(source), 'orders.md'), capabilities)
}

test('holds each requirement against what the machine offers, with the scenarios that need it', () => {
  const there = [capability('docker engine', '26.1.3 at unix:///var/run/docker.sock')]
  expect(needs(there)[0]).toEqual({
    what: 'Docker Engine',
    state: 'there',
    detail: '26.1.3 at unix:///var/run/docker.sock',
    scenarios: ['S1', 'S2', 'S3'],
    install: 'https://docs.docker.com/engine/install/',
  })
  expect(needs([capability('docker engine', null)])[0]).toMatchObject({
    state: 'missing',
    detail: 'not there',
    scenarios: ['S1', 'S2', 'S3'],
  })
})

test('a version below the floor of the plan is missing', () => {
  const older = needs([capability('docker engine', '20.9.1 at a socket')])[0]
  expect(older).toMatchObject({ state: 'missing' })
  expect(older?.detail).toContain('the plan asks for 20.10 or later')
  expect(needs([capability('docker engine', '20.10 at a socket')])[0]).toMatchObject({ state: 'there' })
})

test('what cannot be probed is to be looked for by a person', () => {
  const [need] = needs([], (text) => text.replace('| Docker Engine |', '| A licence of the warehouse |'))
  expect(need).toMatchObject({ what: 'A licence of the warehouse', state: 'unknown' })
})

test('a compose plug-in is not the engine', () => {
  const both = [capability('docker engine', '26.1'), capability('docker compose', null)]
  const [need] = needs(both, (text) => text.replace('| Docker Engine |', '| Docker Compose |'))
  expect(need).toMatchObject({ state: 'missing' })
})

test('faults need one of the ways in which they are made', () => {
  const edit = (text: string) => text.replace('- **Faults:** pause of the leader', '- **Faults:** disk-full')
  const found = needs([capability('mount', null), capability('strace', 'a process could be traced')], edit)
  expect(found.find(({ what }) => what === 'fault disk-full')).toEqual({
    what: 'fault disk-full',
    state: 'there',
    detail: 'by strace: a process could be traced',
    scenarios: ['S2'],
    install: null,
  })
  const lacking = needs([capability('mount', null), capability('strace', null)], edit)
  expect(lacking.find(({ what }) => what === 'fault disk-full')).toMatchObject({
    state: 'missing',
    detail: 'mount: not there; strace: not there',
    install: 'get mount',
  })
})

test('places that are open need nothing yet', () => {
  const open = source.replace('| Docker Engine |', '| FILL IN: what it needs |')
  expect(needsOf(parsePlan(open, 'orders.md'), []).map(({ what }) => what)).toEqual([])
})
