import { describe, expect, it } from 'vitest'
import { control } from '../../src/boundary/control.js'
import { DeclarationError } from '../../src/errors.js'

const nothing = () => Promise.resolve(null)

describe('control', () => {
  it('refuses a negative control that does not look for the refusal, and says why', () => {
    const blind = () => control.negative('reads another', { attempt: nothing, refused: () => true } as never)
    expect(blind).toThrow(DeclarationError)
    expect(blind).toThrow(
      /control\.negative\('reads another'\): `observed` is not a function[^]*proves nothing/,
    )
  })

  it('names everything that is missing or wrong', () => {
    expect(() => control.positive('', {} as never)).toThrow(/name[^]*`run`[^]*`holds`/)
    expect(() => control.positive('reads', undefined as never)).toThrow('`run` is not a function')
    const options = { attempt: nothing, refused: () => true, observed: nothing }
    expect(() => control.negative('x', { ...options, confusable: ['typos'] } as never)).toThrow(
      'same-name, prefix-collision',
    )
    expect(() => control.negative('x', { ...options, confusable: [] })).toThrow('`confusable`')
    expect(() => control.negative('x', { ...options, prepare: 1 } as never)).toThrow('`prepare`')
    expect(() => control.negative('x', { ...options, hold: nothing } as never)).toThrow(
      'there is no option `hold`',
    )
  })
})
