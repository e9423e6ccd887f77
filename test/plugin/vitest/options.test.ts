import { describe, expect, it } from 'vitest'
import { resolveOptions } from '../../../plugin/vitest/options.js'
import { DeclarationError } from '../../../src/errors.js'

describe('resolveOptions', () => {
  it('fills the defaults in', () => {
    expect(resolveOptions(undefined, {})).toEqual({
      plan: null,
      sessions: './test-sessions',
      tier: 'smoke',
      gate: 'default',
    })
  })

  it('keeps what is given, and lets NEMESIS_TIER win over the tier', () => {
    const options = { plan: 'docs/testing-plans/orders.md', sessions: 'out', tier: 'smoke', gate: 'strict' }
    expect(resolveOptions(options, { NEMESIS_TIER: 'hardening' })).toEqual({ ...options, tier: 'hardening' })
    expect(resolveOptions(options, { NEMESIS_TIER: '' }).tier).toBe('smoke')
  })

  it('names every wrong option, and unknown ones', () => {
    const wrong = () => resolveOptions({ tier: 'huge', gates: 'strict' }, {})
    expect(wrong).toThrow(DeclarationError)
    expect(wrong).toThrow(/tier[^]*gates|gates[^]*tier/)
  })

  it('names a wrong NEMESIS_TIER', () => {
    expect(() => resolveOptions({}, { NEMESIS_TIER: 'huge' })).toThrow(
      /NEMESIS_TIER=huge[^]*smoke, hardening or release/,
    )
  })
})
