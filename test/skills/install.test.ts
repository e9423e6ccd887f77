import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentNames, agents, type AgentName, type Scope } from '../../src/skills/agents.js'
import { installSkills, removeSkills, updateSkills, type Place } from '../../src/skills/install.js'
import { manifestPath } from '../../src/skills/manifest.js'
import { temporaryDirectory } from '../support/temporary.js'

const shippedOf = (version: string) =>
  new Map([
    ['designing-distributed-system-tests/SKILL.md', Buffer.from(`design ${version}\n`)],
    ['designing-distributed-system-tests/references/history.md', Buffer.from('history\n')],
    ['executing-distributed-system-tests/SKILL.md', Buffer.from(`execute ${version}\n`)],
  ])

async function placeOf(scope: Scope, version = '1.0.0'): Promise<Place> {
  return { base: await temporaryDirectory(), scope, shipped: shippedOf(version), version }
}

/** Every file and directory below a directory, with the bytes of the files. */
async function treeOf(base: string): Promise<Record<string, string>> {
  const entries = await readdir(base, { recursive: true, withFileTypes: true })
  const pairs = entries.map(async (entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const content = entry.isDirectory() ? '<directory>' : (await readFile(file)).toString('latin1')
    return [path.relative(base, file), content] as const
  })
  return Object.fromEntries((await Promise.all(pairs)).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const cases = agentNames.flatMap((agent) => (['home', 'project'] as const).map((scope) => ({ agent, scope })))
const pointerCases = cases.flatMap(({ agent, scope }) => {
  const file = agents[agent].instructions[scope]
  return file === null ? [] : [{ agent, scope, file }]
})
const count = (text: string, part: string) => text.split(part).length - 1

describe.each(cases)('skills for $agent in the $scope', ({ agent, scope }) => {
  it('are there once after two installs and two updates, and gone without a trace after removal', async () => {
    const place = await placeOf(scope)
    await writeFile(path.join(place.base, 'README.md'), 'mine\n')
    const before = await treeOf(place.base)

    const first = await installSkills(place, [agent])
    expect(first.every(({ what }) => what === 'wrote')).toBe(true)
    const installed = await treeOf(place.base)
    const second = await installSkills(place, [agent])
    expect(second.every(({ what }) => what === 'unchanged')).toBe(true)
    await updateSkills(place, null)
    await updateSkills(place, [agent])
    expect(await treeOf(place.base)).toEqual(installed)

    const texts = Object.entries(installed)
    const skill = path.join(agents[agent].skills, 'designing-distributed-system-tests/SKILL.md')
    expect(installed[skill]).toBe('design 1.0.0\n')
    expect(texts.filter(([, text]) => text === 'design 1.0.0\n')).toHaveLength(1)
    const file = agents[agent].instructions[scope]
    const blocks = texts.filter(([name, text]) => name !== manifestPath && text.includes('skills begin'))
    expect(blocks.map(([name]) => name)).toEqual(file === null ? [] : [file])
    if (file !== null) {
      expect(count(installed[file] ?? '', 'skills begin')).toBe(1)
      // The block leads to where the skills are.
      const pointed = [...(installed[file] ?? '').matchAll(/`(?:~\/)?([^`]+SKILL\.md)`/g)].map(([, to]) => to)
      expect(pointed).toHaveLength(2)
      for (const to of pointed) expect(installed).toHaveProperty([to ?? ''])
    }

    await removeSkills(place, null)
    expect(await treeOf(place.base)).toEqual(before)
    expect(await removeSkills(place, null)).toEqual([])
    expect(await treeOf(place.base)).toEqual(before)
  })
})

describe.each(pointerCases)('$file of the $scope for $agent', ({ agent, scope, file }) => {
  const samples = ['', '\n', '\r\n', 'a', 'a\r\nb', 'a\r\nb\r\n', 'a\n\n', '\uFEFFa', 'a\rb', 'é\n']
  const foreign = '<!-- other:begin -->\ntheirs\n<!-- other:end -->'
  const contents = fc.oneof(
    fc.constantFrom(...samples, foreign, `# Rules\n\n${foreign}\n`).map((text) => Buffer.from(text)),
    fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', ' ', '<!--', '-->', '`') }).map(Buffer.from),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  )

  it('is restored to the byte, whatever was in it', async () => {
    const place = await placeOf(scope)
    const target = path.join(place.base, file)
    await mkdir(path.dirname(target), { recursive: true })
    await fc.assert(
      fc.asyncProperty(contents, async (content) => {
        await writeFile(target, content)
        await installSkills(place, [agent])
        const once = await readFile(target)
        await installSkills(place, [agent])
        const twice = await readFile(target)
        expect(twice.equals(once)).toBe(true)
        expect(twice.subarray(0, content.length).equals(content)).toBe(true)
        if (!content.includes(0)) {
          expect(count(twice.toString('latin1'), 'skills begin')).toBe(1)
          // A blank line ends whatever Markdown was above.
          expect(twice.toString('latin1')).toMatch(/(?:^|\n\r?\n)<!-- vitest-nemesis:skills begin/)
        }
        await removeSkills(place, null)
        expect((await readFile(target)).equals(content)).toBe(true)
        expect(existsSync(path.join(place.base, '.agents'))).toBe(false)
      }),
      { numRuns: 40 },
    )
  })

  it('keeps what others wrote around the block', async () => {
    const place = await placeOf(scope)
    const target = path.join(place.base, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, 'above')
    await installSkills(place, [agent])
    await writeFile(target, `top\n${await readFile(target, 'utf8')}below\n`)
    await installSkills({ ...place, shipped: shippedOf('2.0.0') }, [agent])
    await removeSkills(place, null)
    expect(await readFile(target, 'utf8')).toBe('top\nabove\nbelow\n')
  })
})

describe('instructions that several agents read', () => {
  const three: readonly AgentName[] = ['codex', 'copilot', 'cursor']

  it('have one block, which stays until the last of them leaves', async () => {
    const place = await placeOf('project')
    const target = path.join(place.base, 'AGENTS.md')
    await writeFile(target, 'rules\r\n')
    await installSkills(place, three)
    const text = await readFile(target, 'latin1')
    expect(count(text, 'skills begin')).toBe(1)
    expect(text.replaceAll('\r\n', '')).not.toContain('\n')
    await removeSkills(place, ['codex'])
    await removeSkills(place, ['cursor'])
    expect(await readFile(target, 'latin1')).toBe(text)
    await removeSkills(place, ['copilot'])
    expect(await treeOf(place.base)).toEqual({ 'AGENTS.md': 'rules\r\n' })
  })

  it('keep a block that somebody has changed, and say so', async () => {
    const place = await placeOf('project')
    const target = path.join(place.base, 'AGENTS.md')
    await installSkills(place, ['codex'])
    const edited = (await readFile(target, 'utf8')).replace('Two skills', 'My two skills')
    await writeFile(target, edited)
    for (const act of [() => installSkills(place, ['codex']), () => removeSkills(place, null)]) {
      const changes = await act()
      expect(changes.find((one) => one.path === 'AGENTS.md')?.because).toMatch(/by hand/)
      expect(await readFile(target, 'utf8')).toBe(edited)
    }
    await rm(target)
    await removeSkills(place, null)
    expect(await treeOf(place.base)).toEqual({})
  })

  it('keep a block of which nothing is on record', async () => {
    const place = await placeOf('project')
    await installSkills(place, ['codex'])
    await rm(path.join(place.base, manifestPath))
    const text = await readFile(path.join(place.base, 'AGENTS.md'), 'utf8')
    const changes = await installSkills(place, ['codex'])
    expect(changes[0]?.because).toMatch(/nothing is on record/)
    expect(await readFile(path.join(place.base, 'AGENTS.md'), 'utf8')).toBe(text)
  })

  it('keep their permissions, and stay a link when they are one', async () => {
    const place = await placeOf('project')
    await writeFile(path.join(place.base, 'RULES.md'), 'rules\n')
    await chmod(path.join(place.base, 'RULES.md'), 0o600)
    await symlink('RULES.md', path.join(place.base, 'AGENTS.md'))
    await installSkills(place, ['codex'])
    expect((await lstat(path.join(place.base, 'AGENTS.md'))).isSymbolicLink()).toBe(true)
    expect((await stat(path.join(place.base, 'RULES.md'))).mode & 0o777).toBe(0o600)
    await removeSkills(place, null)
    expect(await readFile(path.join(place.base, 'RULES.md'), 'utf8')).toBe('rules\n')
  })
})

describe('files of the skills', () => {
  const skill = '.claude/skills/designing-distributed-system-tests/SKILL.md'

  it('are brought up to date when nobody has changed them', async () => {
    const place = await placeOf('home')
    await installSkills(place, ['claude'])
    const changes = await updateSkills({ ...place, shipped: shippedOf('2.0.0') }, null)
    expect(changes.filter(({ what }) => what === 'updated')).toHaveLength(2)
    expect(await readFile(path.join(place.base, skill), 'utf8')).toBe('design 2.0.0\n')
  })

  it('that somebody has changed are kept, with the new version beside them once there is one', async () => {
    const place = await placeOf('home')
    const target = path.join(place.base, skill)
    await installSkills(place, ['claude'])
    await writeFile(target, 'mine\n')

    const same = await installSkills(place, ['claude'])
    expect(same.filter(({ what }) => what === 'kept').map((one) => one.because)).toEqual([
      'it has been changed here',
    ])
    expect(existsSync(`${target}.new`)).toBe(false)

    const next = { ...place, shipped: shippedOf('2.0.0') }
    for (let times = 0; times < 2; times++) await updateSkills(next, null)
    expect(await readFile(target, 'utf8')).toBe('mine\n')
    expect(await readFile(`${target}.new`, 'utf8')).toBe('design 2.0.0\n')

    // Taken over: the offer goes.
    await writeFile(target, 'design 2.0.0\n')
    await updateSkills(next, null)
    expect(existsSync(`${target}.new`)).toBe(false)

    await writeFile(target, 'mine again\n')
    const removed = await removeSkills(place, null)
    expect(removed.find((one) => one.path === skill)?.what).toBe('kept')
    expect(await treeOf(place.base)).toMatchObject({ [skill]: 'mine again\n' })
    expect(existsSync(path.join(place.base, '.agents'))).toBe(false)
  })

  it('of that name which were there before are kept', async () => {
    const place = await placeOf('home')
    const target = path.join(place.base, skill)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, 'theirs\n')
    const before = await treeOf(place.base)
    const changes = await installSkills(place, ['claude'])
    expect(changes.find((one) => one.path === skill)?.what).toBe('kept')
    expect(await readFile(target, 'utf8')).toBe('theirs\n')
    await removeSkills(place, null)
    expect(await treeOf(place.base)).toEqual(before)
  })

  it('that are shipped no more go', async () => {
    const place = await placeOf('home')
    await installSkills(place, ['claude'])
    const shipped = new Map([...place.shipped].filter(([name]) => !name.endsWith('history.md')))
    await updateSkills({ ...place, shipped }, null)
    expect(
      existsSync(
        path.join(place.base, '.claude/skills/designing-distributed-system-tests/references/history.md'),
      ),
    ).toBe(false)
    await removeSkills(place, null)
    expect(await treeOf(place.base)).toEqual({})
  })
})

describe('what is refused', () => {
  it('a project whose folder leads out of it', async () => {
    const place = await placeOf('project')
    const outside = await temporaryDirectory()
    await symlink(outside, path.join(place.base, '.claude'))
    await expect(installSkills(place, ['claude'])).rejects.toThrow(/leads out of the project/)
    expect(await readdir(outside)).toEqual([])
  })

  it('a manifest with a path that leads elsewhere', async () => {
    const place = await placeOf('project')
    await installSkills(place, ['claude'])
    const file = path.join(place.base, manifestPath)
    const text = await readFile(file, 'utf8')
    for (const bad of ['../x', '/x', '.claude/../../x', 'a\\\\..\\\\x']) {
      await writeFile(file, text.replaceAll('.claude/skills"', `${bad}"`))
      await expect(removeSkills(place, null)).rejects.toThrow(/must be a path below/)
    }
  })

  it('to update what is not installed', async () => {
    const place = await placeOf('home')
    await expect(updateSkills(place, null)).rejects.toThrow(/no skills for any agent/)
    await installSkills(place, ['claude'])
    await expect(updateSkills(place, ['codex'])).rejects.toThrow(/no skills for Codex/)
  })
})
