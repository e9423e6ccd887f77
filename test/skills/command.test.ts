import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { root } from '../repo/sources.js'
import { temporaryDirectory } from '../support/temporary.js'

async function skills(home: string, cwd: string, ...args: string[]) {
  return execa('node', [path.join(root, 'dist/src/cli/main.js'), 'skills', ...args], {
    cwd,
    env: { HOME: home },
    reject: false,
    timeout: 60_000,
  })
}

describe('nemesis skills', () => {
  it('installs for the agents that it finds in the home directory, and for no other', async () => {
    const home = await temporaryDirectory()
    await mkdir(path.join(home, '.claude'))
    await mkdir(path.join(home, '.gemini'))
    const installed = await skills(home, home, 'install')
    expect(installed.exitCode, installed.stderr).toBe(0)
    expect(installed.stdout).toMatch(/^wrote {6}\.gemini\/GEMINI\.md$/m)
    expect(installed.stdout).toMatch(
      /^wrote {6}\.claude\/skills\/designing-distributed-system-tests \(\d+ files\)$/m,
    )
    expect((await readdir(home)).toSorted()).toEqual(['.agents', '.claude', '.gemini'])
    const updated = await skills(home, home, 'update')
    expect(updated.stdout).not.toMatch(/^(?!unchanged)/m)
    const removed = await skills(home, home, 'remove')
    expect(removed.exitCode).toBe(0)
    expect((await readdir(home, { recursive: true })).toSorted()).toEqual(['.claude', '.gemini'])
  })

  it('installs in the project that a directory belongs to', async () => {
    const home = await temporaryDirectory()
    const project = await temporaryDirectory()
    const below = path.join(project, 'packages/store')
    await mkdir(path.join(project, '.git'))
    await mkdir(below, { recursive: true })
    await writeFile(path.join(project, 'AGENTS.md'), 'Rules')
    expect((await skills(home, below, 'install', '--project', '--agent', 'codex', 'cursor')).exitCode).toBe(0)
    expect(await readFile(path.join(project, 'AGENTS.md'), 'utf8')).toContain('`.agents/skills/')
    expect(await readdir(home)).toEqual([])
    await skills(home, project, 'remove', '--project')
    expect(await readFile(path.join(project, 'AGENTS.md'), 'utf8')).toBe('Rules')
  })

  it('says in one line what it cannot do', async () => {
    const home = await temporaryDirectory()
    for (const args of [['install'], ['update'], ['install', '--agent', 'nobody'], ['burn']]) {
      const { exitCode, stderr } = await skills(home, home, ...args)
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/^nemesis: [^\n]+$/)
    }
    expect(await readdir(home)).toEqual([])
  })
})
