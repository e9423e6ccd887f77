import fc from 'fast-check'
import type { RootContent } from 'mdast'
import { describe, expect, it } from 'vitest'
import {
  code,
  heading,
  labelled,
  list,
  paragraph,
  renderMarkdown,
  table,
} from '../../../src/findings/render/markdown.js'
import { readMarkdown, textOf } from '../../../src/plan/markdown/read.js'

const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'a | b',
    'two\nlines',
    'a\r\nb',
    '| --- | --- |',
    '# not a heading',
    '```\nnot code\n```',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[click](javascript:alert(1))',
    '![pixel](https://example.com/x.png)',
    '<https://example.com>',
    '- [ ] not a task',
    '> not a quote',
    '1. not a list',
    '---',
    '\\|',
    '`',
    '``` `',
    '&lt;b&gt;',
    '    indented',
    '\u202Eright to left',
    '\u0000\u001B[31mred',
  ),
)

/** What is left of a text in one line. */
const seen = (text: string) => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()

function blocksOf(text: string): RootContent[] {
  return readMarkdown(text).children
}

/** Kinds of nodes anywhere in a tree. */
function kinds(node: RootContent): string[] {
  return [node.type, ...('children' in node ? (node.children as RootContent[]).flatMap(kinds) : [])]
}

describe('renderMarkdown', () => {
  it('a table keeps its rows and cells, whatever their text', () => {
    const cell = fc.oneof(hostile, hostile.map(code))
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, hostile), { minLength: 1, maxLength: 5 }), (rows) => {
        const [block, ...rest] = blocksOf(renderMarkdown([table(['One', 'Two'], rows), paragraph('After')]))
        expect(rest.map(textOf)).toEqual(['After'])
        expect(block?.type).toBe('table')
        if (block?.type !== 'table') return
        expect(block.children.map((row) => row.children.length)).toEqual([2, ...rows.map(() => 2)])
        const second = block.children.slice(1).map((row) => textOf(row.children[1]!))
        expect(second.map(seen)).toEqual(rows.map(([, text]) => seen(text)))
      }),
      { numRuns: 300 },
    )
  })

  it('text is text: no link, image, HTML, code or heading comes of it', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const blocks = blocksOf(
          renderMarkdown([heading(2, text), paragraph(text), list([text, labelled('Name', text)])]),
        )
        const inert = ['heading', 'paragraph', 'list', 'listItem', 'text', 'strong']
        expect(blocks.flatMap(kinds).filter((kind) => !inert.includes(kind))).toEqual([])
        if (seen(text) === '') return
        expect(blocks.map(({ type }) => type)).toEqual(['heading', 'paragraph', 'list'])
      }),
      { numRuns: 300 },
    )
  })

  it('code shows what it was given, in one line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const [block] = blocksOf(renderMarkdown([paragraph(code(text))]))
        expect(seen(textOf(block!))).toBe(seen(text) === '' ? '-' : seen(text))
      }),
      { numRuns: 200 },
    )
  })
})
