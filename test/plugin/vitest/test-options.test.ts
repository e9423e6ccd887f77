import { describe, expect, it } from 'vitest'
import { splitOptions } from '../../../plugin/vitest/test-options.js'

describe('splitOptions', () => {
  it("separates the test's options from the declaration", () => {
    const { declaration, testOptions } = splitOptions({ id: 'S1', timeout: '2m', tags: 'slow', skip: true })
    expect(declaration).toEqual({ id: 'S1' })
    expect(testOptions).toEqual({ timeout: 120_000, tags: ['slow'], skip: true })
  })

  it('leaves what is no object to the validation', () => {
    expect(splitOptions('S1').declaration).toBe('S1')
    expect(splitOptions(undefined).declaration).toBeNull()
    expect(splitOptions({ todo: true })).toEqual({ declaration: null, testOptions: { todo: true } })
  })

  it('refuses a timeout that is none', () => {
    expect(() => splitOptions({ timeout: 'soon' })).toThrow('timeout: "soon" is not a duration')
  })
})
