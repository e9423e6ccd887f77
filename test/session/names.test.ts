import fc from 'fast-check'
import { expect, it } from 'vitest'
import { safeName, sessionDirectoryName } from '../../src/session/names.js'

it('leaves a name of the recommended form alone', () => {
  expect(safeName('linearizable_append_under_partition')).toBe('linearizable_append_under_partition')
})

it.each([
  ['reads → writes / 3', /^reads-writes-3-[0-9a-f]{8}$/],
  ['../../etc/passwd', /^etc-passwd-[0-9a-f]{8}$/],
  ['.hidden', /^hidden-[0-9a-f]{8}$/],
  ['Überschrift', /^u-berschrift-[0-9a-f]{8}$/],
  ['report', /^report-[0-9a-f]{8}$/],
  ['日本', /^[0-9a-f]{8}$/],
  ['x'.repeat(300), /^x{80}-[0-9a-f]{8}$/],
])('makes %s a file name', (name, expected) => {
  expect(safeName(name)).toMatch(expected)
})

it('is safe whatever the name, and tells names apart where case does not count', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(safeName(name)).toMatch(/^[a-z0-9_][a-z0-9._-]*$/)
      expect(safeName(name).length).toBeLessThanOrEqual(90)
      expect(safeName(`${name}X`)).not.toBe(safeName(`${name}x`))
    }),
  )
})

it('names a session after its start in UTC', () => {
  expect(sessionDirectoryName(new Date('2026-03-01T12:30:05.250Z'))).toBe('2026-03-01T12-30-05-250Z')
})
