import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { lint, toFill } from '../../src/plan/lint/lint.js'
import { placeholder } from '../../src/plan/lint/rule.js'
import { newPlan } from '../../src/plan/new/new-plan.js'
import { parsePlan } from '../../src/plan/parse/parse.js'
import { shippedFiles, skillNames } from '../../src/skills/shipped.js'
import { filesBelow, root, textOf } from '../repo/sources.js'
import { temporaryDirectory } from '../support/temporary.js'

const pages = filesBelow('skills').filter((file) => file.endsWith('.md'))
const read = [...pages, 'INSTALL.md', 'USAGE.md']

/** Code that a reader may type or open: lines of blocks, and spans. */
function codeIn(page: string): readonly string[] {
  const text = textOf(page)
  const blocks = [...text.matchAll(/^ *```\w*\n([^]*?)^ *```$/gm)].flatMap(([, body]) =>
    (body ?? '').split('\n'),
  )
  const spans = [...text.replaceAll(/^ *```[^]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code]) => code ?? '',
  )
  return [...blocks, ...spans].map((line) => line.trim())
}

async function commandNamed(name: string): Promise<Command> {
  const module = (await import(`../../src/cli/${name}.ts`)) as Record<string, () => Command>
  const make = module[`${name}Command`]
  if (make === undefined) throw new Error(`there is no command ${name}`)
  return make()
}

function flagsOf(command: Command): readonly string[] {
  return command.options.flatMap(({ long }) => long ?? [])
}

describe.each(skillNames)('the skill %s', (skill) => {
  const main = `skills/${skill}/SKILL.md`
  const [, front = ''] = /^---\n([^]*?)\n---\n/.exec(textOf(main)) ?? []
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(front)?.[1] ?? ''

  it('has the front matter that agents ask for', () => {
    expect(field('name')).toBe(skill)
    expect(skill).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    expect(skill.length).toBeLessThanOrEqual(64)
    expect(field('description')).toMatch(/\bUse when asked to\b/)
    expect(field('description').length).toBeLessThanOrEqual(1024)
    // A colon followed by a blank would end a plain YAML scalar.
    expect(field('description')).not.toMatch(/: | #/)
    expect(front.split('\n').map((line) => line.split(':')[0])).toEqual(['name', 'description', 'license'])
  })

  it('is short enough to be read whole', () => {
    expect(textOf(main).split('\n').length).toBeLessThan(120)
  })

  it('refers to every file that it has, and to none that it has not', () => {
    const named = codeIn(main).filter((code) => /^(?:references|assets)\/\S+\.md$/.test(code))
    const there = filesBelow(`skills/${skill}`)
      .map((file) => path.posix.relative(`skills/${skill}`, file))
      .filter((file) => file !== 'SKILL.md')
    expect([...new Set(named)].toSorted()).toEqual(there.toSorted())
  })
})

describe('what the skills say', () => {
  it('is shipped', async () => {
    const { files } = JSON.parse(textOf('package.json')) as { files: string[] }
    expect(files).toEqual(
      expect.arrayContaining(['skills', 'docs', '.claude-plugin', 'INSTALL.md', 'USAGE.md']),
    )
    expect([...(await shippedFiles()).keys()].map((name) => `skills/${name}`)).toEqual(
      filesBelow('skills').toSorted(),
    )
  })

  it.each(read)('names commands of nemesis with options that they have: %s', async (page) => {
    for (const line of codeIn(page)) {
      const [, name, next, rest] = /^(?:npx )?nemesis ([a-z]+)\b(?: ([a-z]+)\b)?(.*)$/.exec(line) ?? []
      if (name === undefined) continue
      const command = await commandNamed(name)
      const below = command.commands.find((one) => one.name() === next)
      if (command.commands.length > 0) expect(below?.name(), line).toBe(next)
      const flags = flagsOf(below ?? command)
      for (const flag of (rest ?? '').match(/--[a-z-]+/g) ?? []) expect(flags, line).toContain(flag)
    }
  })

  it('names the commands that the method needs', () => {
    const all = pages.flatMap(codeIn).join('\n')
    for (const name of [
      'doctor',
      'plan new',
      'plan check',
      'author',
      'report',
      'replay',
      'reduce',
      'heal',
      'catalog',
    ]) {
      expect(all).toContain(`npx nemesis ${name}`)
    }
    expect(all).toContain('npx vitest run')
  })

  it.each(pages)('points to documents that are there: %s', (page) => {
    const named = textOf(page).match(/node_modules\/vitest-nemesis\/[\w./-]+\w/g) ?? []
    for (const file of named) {
      expect(existsSync(path.join(root, file.replace('node_modules/vitest-nemesis/', ''))), file).toBe(true)
    }
  })

  it('has as plan template what is scaffolded where nothing is found, with more to fill in', async () => {
    const project = await temporaryDirectory()
    await newPlan(project, 'slug', null)
    const scaffolded = await readFile(path.join(project, 'docs/testing-plans/slug.md'), 'utf8')
    const template = asTemplate(scaffolded)
    const file = 'skills/designing-distributed-system-tests/assets/plan-template.md'
    // After a change of the scaffold: npx vitest run test/skills/content -u
    await expect(template).toMatchFileSnapshot(path.join(root, file))
    const codes = lint(parsePlan(template, file), template, { within: () => true }).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set([toFill]))
  })
})

/** What a scaffold says of the repository that it was made in is for a person to say in a template. */
function asTemplate(scaffolded: string): string {
  const said: Readonly<Record<string, string>> = {
    'slug\n': `${placeholder}: the name of the file without \`.md\`\n`,
    'No tests were found that would tell its parts.\n\n': '',
    '; no document or error type was found that says so': '',
    'No test was found.': `${placeholder}: framework, file, name and subsystem of each test`,
    'No part of the code is without a test that was found.': `${placeholder}: parts of the code without a test`,
    'Nothing was found.': `${placeholder}: scripts, compose files, fault tools and runbooks that can be used again`,
    'no sign of it was found, which proves nothing': `${placeholder}: why`,
    'none found': `${placeholder}: test files, or none`,
    'test/slug/': 'test/plan/',
    slug_s1: 'plan_s1',
  }
  return Object.entries(said).reduce((text, [found, open]) => {
    expect(text).toContain(found)
    return text.replaceAll(found, open)
  }, scaffolded)
}

describe('the plugin of Claude Code', () => {
  const plugin = JSON.parse(textOf('.claude-plugin/plugin.json')) as Record<string, unknown>
  const marketplace = JSON.parse(textOf('.claude-plugin/marketplace.json')) as {
    name: string
    owner: { name: string }
    plugins: { name: string; source: string; description: string }[]
  }

  it('has the name and version of the package', () => {
    const { name, version, license } = JSON.parse(textOf('package.json')) as Record<string, string>
    expect(plugin).toMatchObject({ name, version, license })
    expect(plugin['description']).toMatch(/\w/)
    expect(Object.keys(plugin).toSorted()).toEqual([
      'author',
      'description',
      'keywords',
      'license',
      'name',
      'version',
    ])
  })

  it('is offered by a marketplace beside it, where its skills are found', () => {
    expect(marketplace.name).toMatch(/^[a-z0-9-]+$/)
    expect(marketplace.owner.name).toMatch(/\w/)
    expect(marketplace.plugins).toHaveLength(1)
    const [offered] = marketplace.plugins
    expect(offered).toMatchObject({ name: plugin['name'], source: './' })
    for (const skill of skillNames) {
      expect(existsSync(path.join(root, offered?.source ?? '', 'skills', skill, 'SKILL.md'))).toBe(true)
    }
    expect(textOf('INSTALL.md')).toContain(`/plugin install ${plugin['name']}@${marketplace.name}`)
  })
})

describe('prompts', () => {
  it('are there for every workflow', () => {
    const headings = [...textOf('USAGE.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual([
      'Design: one change',
      'Design: the whole project',
      'Check a plan',
      'Author the scenarios',
      'Execute: default mode',
      'Execute: author mode',
      'Replay and reduce',
      'Report',
      'Tips',
    ])
  })
})
