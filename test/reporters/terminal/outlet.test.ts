import { describe, expect, it } from 'vitest'
import { outlet } from '../../../reporters/terminal/outlet.js'

describe('outlet', () => {
  it.each(['json', 'junit', 'tap', 'tap-flat'])('leaves standard output to %s', (reporter) => {
    expect(outlet(['default', [reporter, {}]])).toBe(process.stderr)
    expect(outlet([reporter])).toBe(process.stderr)
  })

  it('is standard output otherwise', () => {
    expect(outlet([['default', {}], { onInit() {} }, ['blob', {}]])).toBe(process.stdout)
  })
})
