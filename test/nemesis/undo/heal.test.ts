import { spawn, type ChildProcess } from 'node:child_process'
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { homedir, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { healLines } from '../../../src/cli/heal.js'
import { applyUndo } from '../../../src/nemesis/undo/apply.js'
import { openJournal } from '../../../src/nemesis/undo/file-journal.js'
import { heal } from '../../../src/nemesis/undo/heal.js'
import { formatLine } from '../../../src/nemesis/undo/journal-lines.js'
import type { Undo } from '../../../src/nemesis/undo/journal.js'
import { readProcStat } from '../../../src/systems/process/proc-stat.js'
import { processStartTime } from '../../../src/systems/process/start-time.js'

const linux = process.platform === 'linux'

let directory: string
let children: ChildProcess[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'nemesis-heal-'))
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(directory, { recursive: true, force: true })
})

/** A child that does nothing for a minute, in a group of its own. */
function idle(env: NodeJS.ProcessEnv = {}, detached = true): ChildProcess & { pid: number } {
  const child = spawn('sleep', ['60'], { detached, stdio: 'ignore', env: { ...process.env, ...env } })
  children.push(child)
  return child as ChildProcess & { pid: number }
}

const startTimeOf = async (child: { pid: number }) => (await processStartTime(child.pid)) as string
const isGone = async (child: { pid: number }) => (await processStartTime(child.pid)) === null

/** A journal whose owner has died, with the given entries. */
async function orphan(undos: readonly Undo[], name = 'dead.ndjson'): Promise<string> {
  const file = join(directory, name)
  const lines = [
    formatLine({
      owner: { pid: process.pid, startTime: 'another life', run: 'dead', host: hostname(), cwd: '/' },
    }),
    ...undos.map((undo, index) => formatLine({ open: `U${index + 1}`, undo })),
  ]
  await writeFile(file, lines.join(''))
  return file
}

describe('heal', () => {
  it('finds nothing where nothing is', async () => {
    const report = await heal({ directory: join(directory, 'none') })
    expect(report).toEqual({ entries: [], live: [] })
    expect(healLines(report)).toEqual(['nothing was left behind'])
  })

  it('says which directory it cannot read, and what names another', async () => {
    const file = join(directory, 'file')
    await writeFile(file, '')
    await expect(heal({ directory: join(file, 'undo') })).rejects.toThrow(
      /journals cannot be read: ENOTDIR.*undo[^]*-> let NEMESIS_STATE_DIR/,
    )
  })

  it('ends processes and directories of a dead run and deletes its journal', async () => {
    const child = idle()
    const data = join(directory, 'data')
    await mkdir(join(data, 'deep'), { recursive: true })
    await orphan([
      { kind: 'directory', path: data },
      { kind: 'process', pid: child.pid, startTime: await startTimeOf(child) },
    ])
    const report = await heal({ directory })
    expect(report.entries.map(({ undone, detail }) => [undone, detail])).toEqual([
      [true, `ended process ${child.pid}`],
      [true, `removed ${data}`],
    ])
    expect(await isGone(child)).toBe(true)
    expect(await readdir(directory)).toEqual([])
  })

  it('leaves the journal of a living run alone and says so', async () => {
    const child = idle()
    const journal = await openJournal('live', directory)
    const id = await journal.open({ kind: 'process', pid: child.pid, startTime: await startTimeOf(child) })
    const report = await heal({ directory })
    expect(report.entries).toEqual([])
    expect(healLines(report)).toEqual([`run live is still alive (pid ${process.pid}): left alone`])
    expect(await isGone(child)).toBe(false)
    await journal.close(id)
    await journal.finish()
  })

  it('leaves the journal of a run on another machine alone', async () => {
    const file = join(directory, 'far.ndjson')
    const data = join(directory, 'data')
    await mkdir(data)
    const owner = {
      pid: process.pid,
      startTime: 'another life',
      run: 'far',
      host: `not-${hostname()}`,
      cwd: '/',
    }
    await writeFile(
      file,
      formatLine({ owner }) + formatLine({ open: 'U1', undo: { kind: 'directory', path: data } }),
    )
    const report = await heal({ directory })
    expect(healLines(report)).toEqual([
      `run far is one of not-${hostname()} (pid ${process.pid}): left alone, heal it there`,
    ])
    expect((await readdir(directory)).toSorted()).toEqual(['data', 'far.ndjson'])
  })

  it('keeps what cannot be undone for the next time, undoes the rest, and is idempotent', async () => {
    const child = idle()
    const outside = await mkdtemp(join(homedir(), '.nemesis-test-'))
    onTestFinished(() => rm(outside, { recursive: true, force: true }))
    await mkdir(join(outside, 'precious'))
    const link = join(directory, 'out')
    await symlink(outside, link)
    await orphan([
      { kind: 'process', pid: child.pid, startTime: await startTimeOf(child) },
      { kind: 'directory', path: join(link, 'precious') },
      { kind: 'directory', path: outside },
    ])
    const first = await heal({ directory })
    expect(first.entries.map(({ undone }) => undone)).toEqual([false, false, true])
    expect(healLines(first)[1]).toMatch(/^NOT UNDONE directory .*precious is not inside/)
    const second = await heal({ directory })
    expect(second.entries.map(({ undone }) => undone)).toEqual([false, false])
    expect(await readdir(outside)).toEqual(['precious'])
  })

  it('tolerates a torn last line, and reports one in the middle', async () => {
    const child = idle()
    const torn = await orphan(
      [{ kind: 'process', pid: child.pid, startTime: await startTimeOf(child) }],
      'torn.ndjson',
    )
    await appendFile(torn, '{"open":"U2","undo":{"kind":"dire')
    const clean = await heal({ directory })
    expect(clean.entries.map(({ undone }) => undone)).toEqual([true])
    expect(await readdir(directory)).toEqual([])

    const corrupt = await orphan([], 'corrupt.ndjson')
    await appendFile(
      corrupt,
      `\u0000\u0001rubbish\n${formatLine({ open: 'U1', undo: { kind: 'directory', path: join(directory, 'x') } })}`,
    )
    const report = await heal({ directory })
    expect(report.entries.map(({ undone }) => undone)).toEqual([true, false])
    expect(report.entries[1]?.detail).toMatch(/line 2 cannot be read.*delete it/s)
  })

  it('does not write on behind a torn last line when something cannot be undone', async () => {
    const data = join(directory, 'data')
    await mkdir(data)
    const torn = await orphan([
      { kind: 'directory', path: homedir() },
      { kind: 'directory', path: data },
    ])
    await appendFile(torn, '{"open":"U3","undo":{"kind":"dire')
    await heal({ directory })
    const again = await heal({ directory })
    expect(again.entries.map(({ detail }) => detail)).toEqual([
      expect.stringContaining(`${homedir()} is not inside`),
    ])
  })
})

describe('applyUndo', () => {
  it('does not touch a process that has the pid but not the start time', async () => {
    const child = idle()
    expect(await applyUndo({ kind: 'process', pid: child.pid, startTime: '1' })).toMatch(/was gone/)
    expect(await applyUndo({ kind: 'resume', pid: child.pid, startTime: '1' })).toMatch(/was gone/)
    await expect(applyUndo({ kind: 'process', pid: child.pid, startTime: null })).rejects.toThrow(
      /was not recorded/,
    )
    expect(await isGone(child)).toBe(false)
  })

  it.runIf(linux)('continues a stopped process group', async () => {
    const child = idle()
    process.kill(-child.pid, 'SIGSTOP')
    await expect.poll(async () => (await readProcStat(child.pid))?.state).toBe('T')
    await applyUndo({ kind: 'resume', pid: child.pid, startTime: await startTimeOf(child) })
    await expect.poll(async () => (await readProcStat(child.pid))?.state).toBe('S')
  })

  it.runIf(linux)(
    'ends all that carries the mark of the run, stopped ones too, and nothing else',
    async () => {
      const run = `heal-test-${process.pid}`
      const marked = [idle({ NEMESIS_RUN: run }), idle({ NEMESIS_RUN: run }, false)]
      const others = [idle({ NEMESIS_RUN: `${run}-2` }), idle({}, false)]
      await expect
        .poll(async () => (await readFile(`/proc/${marked[1]?.pid}/environ`, 'latin1')).includes(run))
        .toBe(true)
      process.kill(-(marked[0]?.pid as number), 'SIGSTOP')
      expect(await applyUndo({ kind: 'processes', run })).toBe(`run ${run}: ended 2 processes`)
      expect(await Promise.all(marked.map(isGone))).toEqual([true, true])
      expect(await Promise.all(others.map(isGone))).toEqual([false, false])
      expect(await applyUndo({ kind: 'processes', run })).toBe(`run ${run}: no process was left`)
    },
  )

  it.runIf(linux)('ends what writes a log of the run although it has lost the mark', async () => {
    const logs = await realpath(directory)
    const log = await open(join(logs, 'n1.log'), 'a')
    const child = spawn('sleep', ['60'], { stdio: ['ignore', log.fd, 'ignore'], detached: true })
    onTestFinished(() => void child.kill('SIGKILL'))
    await log.close()
    const undo = { kind: 'processes', run: `lost-mark-${process.pid}`, logs } as const
    expect(await applyUndo({ ...undo, logs: `${logs}-2` })).toContain('no process was left')
    expect(await applyUndo(undo)).toBe(`run ${undo.run}: ended 1 process`)
    expect(await processStartTime(child.pid as number)).toBe(null)
  })
})
