import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeSessionDirectory, sessionsOf } from '../../../plugin/vitest/session-directory.js'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nemesis-sessions-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('sessionsOf', () => {
  it('is named after the plan', () => {
    const options = { sessions: './out', plan: 'docs/testing-plans/orders.md' }
    expect(sessionsOf(root, options)).toBe(join(root, 'out/orders'))
  })

  it('is named after the package without a plan, and after the folder without a package', () => {
    const options = { sessions: './out', plan: null }
    expect(basename(sessionsOf(root, options))).not.toBe('')
    writeFileSync(join(root, 'package.json'), JSON.stringify({ name: '@shop/orders' }))
    expect(sessionsOf(root, options)).toBe(join(root, 'out/shop-orders'))
  })
})

describe('makeSessionDirectory', () => {
  it('makes a session, and another one for a run that starts in the same millisecond', async () => {
    const startedAt = new Date('2026-03-01T12:30:05.250Z')
    const made = [await makeSessionDirectory(root, startedAt), await makeSessionDirectory(root, startedAt)]
    expect(made.map((directory) => basename(directory))).toEqual([
      '2026-03-01T12-30-05-250Z',
      '2026-03-01T12-30-05-250Z-2',
    ])
    for (const directory of made) expect(existsSync(join(directory, 'session-log.md'))).toBe(true)
  })
})

it('says why no directory can be made, and which option names it', async () => {
  writeFileSync(join(root, 'file'), '')
  const making = makeSessionDirectory(join(root, 'file', 'orders'), new Date())
  await expect(making).rejects.toThrow(
    /no session directory can be made: ENOTDIR[^]*-> `sessions` of nemesis\(\)/,
  )
})
