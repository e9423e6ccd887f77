import fc from 'fast-check'
import { expect, it } from 'vitest'
import { visible } from '../../../../src/findings/render/html/inert.js'
import { hostileTexts, pageWith } from './pages.js'

const tag = /<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-z][a-z0-9:-]*(?:="[^"]*")?)*)\s*(\/?)>/giy

/** The tags of a page with the names of their attributes; throws at a `<` that begins no tag. */
function shapeOf(page: string): string[] {
  const own = page
    .replace('<!doctype html>', '')
    .replace(/<style>.*?<\/style>/s, '<style></style>')
    .replace(/<script>'use strict'.*?<\/script>/s, '<script></script>')
  const shape: string[] = []
  for (let at = own.indexOf('<'); at !== -1; at = own.indexOf('<', tag.lastIndex)) {
    tag.lastIndex = at
    const [, closing, name, attributes = ''] = tag.exec(own) ?? []
    if (name === undefined) throw new Error(`no tag begins at ${own.slice(at, at + 60)}`)
    const names = [...attributes.replaceAll(/="[^"]*"/g, '').matchAll(/[a-z][a-z0-9:-]*/gi)].map(
      ([word]) => word,
    )
    shape.push([`${closing}${name}`, ...names].join(' '))
  }
  return shape
}

const plain = shapeOf(pageWith('plain'))

it('looks at a whole page', () => {
  expect(plain.length).toBeGreaterThan(500)
  expect(plain.filter((one) => one.startsWith('script'))).toEqual(['script'])
  expect(plain.some((one) => / on[a-z]+/.test(one) || / style\b/.test(one))).toBe(false)
})

it('texts of users never change what the page is made of', () => {
  const piece = fc.constantFrom(...hostileTexts, '<', '>', '"', "'", '&', '`', '\n', '|', '](x)', 'x')
  const text = fc
    .array(fc.oneof(piece, fc.string({ unit: 'binary' })), { minLength: 1, maxLength: 6 })
    .map((all) => `x${all.join('')}x`)
  fc.assert(
    fc.property(text, (hostile) => {
      expect(shapeOf(pageWith(hostile))).toEqual(plain)
    }),
    { numRuns: 40 },
  )
})

it('nothing in it is hidden from the eye or turns the direction of writing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(pageWith(`x${text}`).replaceAll(/[\n\t]/g, ' ')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
    }),
    { numRuns: 10 },
  )
  expect(visible('a\u202Eb\u0000c\u2028d\uD800e\n')).toBe(
    String.raw`a\u{202E}b\u{0}c\u{2028}d\u{D800}e` + '\n',
  )
  expect(visible('żółw 海 😀')).toBe('żółw 海 😀')
})
