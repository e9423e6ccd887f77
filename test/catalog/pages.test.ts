import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { catalogPages } from '../../src/cli/catalog/pages.js'
import { root } from '../repo/sources.js'

const directory = join(root, 'docs/catalog')
const pages = [...catalogPages()]

/** The anchors that a page offers, as GitHub makes them from headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('docs/catalog', () => {
  it('has the pages that are rendered and no others', () => {
    expect(readdirSync(directory).toSorted()).toEqual(pages.map(([file]) => file).toSorted())
  })

  it.each(pages)('%s is what is rendered (after a change: npm run catalog)', (file, text) => {
    expect(readFileSync(join(directory, file), 'utf8')).toBe(text)
  })

  it.each(pages)('%s links to what there is', (_file, text) => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
    const local = links.filter((url) => !url.startsWith('https:'))
    const broken = local.filter((url) => {
      const [path = '', anchor] = url.split('#')
      const target = join(directory, path)
      if (!existsSync(target)) return true
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
    })
    expect(broken).toEqual([])
    expect(links.filter((url) => url.startsWith('http:'))).toEqual([])
  })

  it('links to every source of the catalog', () => {
    const all = pages.map(([, text]) => text).join('\n')
    expect(all.match(/\]\(https:/g)?.length).toBeGreaterThan(80)
  })
})
