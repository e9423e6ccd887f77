import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FaultError } from '../../../src/errors.js'
import { openJournal } from '../../../src/nemesis/undo/file-journal.js'
import { parseJournal } from '../../../src/nemesis/undo/journal-lines.js'
import { undoDirectory } from '../../../src/nemesis/undo/state-directory.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'nemesis-undo-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('openJournal', () => {
  it('has an entry on disk when open resolves, and its end when close does', async () => {
    const journal = await openJournal('r1', directory)
    const first = await journal.open({ kind: 'processes', run: 'r1' })
    const second = await journal.open({ kind: 'directory', path: 'x' })
    const both = parseJournal(await readFile(journal.file, 'utf8'))
    expect(both.owner).toMatchObject({ pid: process.pid, run: 'r1' })
    expect(both.open.map(({ id }) => id)).toEqual([first, second])
    await journal.close(first)
    await journal.close(first)
    expect(parseJournal(await readFile(journal.file, 'utf8')).open.map(({ undo }) => undo.kind)).toEqual([
      'directory',
    ])
    await journal.finish()
    expect(await readdir(directory)).toHaveLength(1)
  })

  it('is deleted at the end when everything is closed', async () => {
    const journal = await openJournal('a/b c', directory)
    const ids = await Promise.all(
      [1, 2, 3].map((pid) => journal.open({ kind: 'process', pid, startTime: '7' })),
    )
    expect(new Set(ids).size).toBe(3)
    await Promise.all(ids.map((id) => journal.close(id)))
    await journal.finish()
    await journal.finish()
    expect(await readdir(directory)).toEqual([])
  })

  it('refuses a directory that cannot be written, with what to do', async () => {
    const file = join(directory, 'file')
    await writeFile(file, '')
    const refused = openJournal('r1', join(file, 'undo'))
    await expect(refused).rejects.toThrow(/cannot be written.*NEMESIS_STATE_DIR/s)
    await expect(refused).rejects.toBeInstanceOf(FaultError)
  })
})

describe('parseJournal', () => {
  it('leaves a torn last line out and numbers what it cannot read', async () => {
    const journal = await openJournal('r1', directory)
    await journal.open({ kind: 'processes', run: 'r1' })
    await appendFile(
      journal.file,
      'rubbish\n{"open":"U9","undo":{"kind":"unheard-of"}}\n\n{"open":"U2","undo":{"kind":"proc',
    )
    const content = parseJournal(await readFile(journal.file, 'utf8'))
    expect(content.open.map(({ id }) => id)).toEqual(['U1'])
    expect(content.unreadable).toEqual([3, 4, 5])
    expect(parseJournal('')).toEqual({ owner: null, open: [], unreadable: [] })
  })
})

describe('undoDirectory', () => {
  it('is per user, and can be set', () => {
    expect(undoDirectory({ NEMESIS_STATE_DIR: '/s' })).toBe(join('/s', 'undo'))
    expect(undoDirectory({ XDG_STATE_HOME: '/x' })).toBe(join('/x', 'vitest-nemesis', 'undo'))
    expect(undoDirectory({})).toMatch(/\.local.state.vitest-nemesis.undo$/)
  })
})
