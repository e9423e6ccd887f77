import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedContent } from '../../../src/nemesis/faults/corruption/change.js'

const bytes = (text: string, padding = 0) => Buffer.concat([Buffer.from(text), Buffer.alloc(padding)])

function bitsThatDiffer(a: Uint8Array, b: Uint8Array): number {
  return [...a].reduce(
    (sum, byte, index) => sum + (byte ^ (b[index] ?? 0)).toString(2).replaceAll('0', '').length,
    0,
  )
}

describe('changes of a file', () => {
  it('flips exactly so many bits, none of them in what the file is padded with', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }).filter((content) => content.at(-1) !== 0),
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 0, max: 5_000 }),
        (content, bits, padding) => {
          const padded = Buffer.concat([content, Buffer.alloc(padding)])
          const changed = changedContent(padded, { kind: 'flip', bits, offset: null })
          expect(changed.length).toBe(padded.length)
          expect(bitsThatDiffer(padded, changed)).toBe(Math.min(bits, content.length))
          expect(changed.subarray(content.length).every((byte) => byte === 0)).toBe(true)
        },
      ),
    )
  })

  it('flips from an offset on', () => {
    const changed = changedContent(bytes('AAAA'), { kind: 'flip', bits: 2, offset: 1 })
    expect(Buffer.from(changed).toString()).toBe('A@CA')
  })

  it('cuts what is written off, padding and all', () => {
    expect(
      Buffer.from(changedContent(bytes('0123456789', 50), { kind: 'truncate', bytes: 3 })).toString(),
    ).toBe('0123456')
    expect(changedContent(bytes('012'), { kind: 'truncate', bytes: 30 })).toHaveLength(0)
  })

  it('overwrites in the middle, or from an offset to the end', () => {
    const middle = changedContent(bytes('0123456789', 6), { kind: 'overwrite', bytes: 4, offset: null })
    expect(Buffer.from(middle).toString('latin1')).toBe(`012${'\xa5'.repeat(4)}789${'\0'.repeat(6)}`)
    const end = changedContent(bytes('0123'), { kind: 'overwrite', bytes: 9, offset: 2 })
    expect(Buffer.from(end).toString('latin1')).toBe('01\xa5\xa5')
  })

  it('leaves an empty file, and what lies behind its end, as it is', () => {
    for (const content of [bytes(''), bytes('', 10)]) {
      expect(changedContent(content, { kind: 'flip', bits: 3, offset: null })).toEqual(content)
      expect(changedContent(content, { kind: 'truncate', bytes: 3 })).toEqual(content)
    }
    const behind = changedContent(bytes('ab'), { kind: 'flip', bits: 1, offset: 2 })
    expect(Buffer.from(behind)).toEqual(bytes('ab'))
  })

  it('does not touch the content that it is given', () => {
    const content = bytes('0123456789')
    changedContent(content, { kind: 'overwrite', bytes: 10, offset: 0 })
    expect(content).toEqual(bytes('0123456789'))
  })
})
