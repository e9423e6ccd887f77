import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, root, textOf } from '../repo/sources.js'
import { documents } from './blocks.js'

const pages = [
  ...documents,
  'CONTRIBUTING.md',
  ...filesBelow('examples').filter((file) => file.endsWith('README.md')),
]

/** The text without fenced blocks and code spans, in which brackets mean something else. */
function prose(page: string): string {
  return textOf(page)
    .replaceAll(/^```[^]*?^```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ' '))
}

function linksOf(page: string): readonly string[] {
  return [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
}

/** The anchors that a page offers, as GitHub makes them from headings. */
function anchorsOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('links between documents', () => {
  it('are found', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(10)
    expect(anchorsOf('README.md')).toContain('ten-verdicts')
  })

  it.each(pages)('lead somewhere in %s', (page) => {
    const broken = linksOf(page).filter((link) => {
      if (link.startsWith('https:')) return false
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : normalize(join(dirname(page), path))
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(target).includes(anchor)
    })
    expect(broken).toEqual([])
  })

  it('reach every guide from the README', () => {
    const seen = new Set(linksOf('README.md').map((link) => normalize(link.split('#')[0] ?? '')))
    expect(documents.filter((page) => page.startsWith('docs/') && !seen.has(page))).toEqual([])
  })
})
