import { describe, expect, it } from 'vitest'
import { lease, type ModelOperation } from '../../src/models/index.js'
import { call } from './call.js'

const model = lease()

/** The operations in order; undefined when the model does not allow them. */
function after(...operations: ModelOperation[]) {
  return operations.reduce<ReturnType<typeof model.step>>(
    (state, operation) => (state === undefined ? undefined : model.step(state, operation)),
    model.init(null),
  )
}

const by = (process: number, type: string, given: Partial<ModelOperation> = {}) =>
  call(type, { process, output: true, ...given })

describe('lease', () => {
  it('may be granted to another at any time, since it may have run out', () => {
    expect(after(by(1, 'acquire'), by(2, 'acquire'))).toEqual({ holder: '2', token: null })
  })

  it('is renewed and given back only by the process to which it was granted last', () => {
    expect(after(by(1, 'acquire'), by(1, 'renew'), by(1, 'release'))).toEqual({ holder: null, token: null })
    expect(after(by(1, 'renew'))).toBeUndefined()
    expect(after(by(1, 'acquire'), by(2, 'acquire'), by(1, 'renew'))).toBeUndefined()
    expect(after(by(1, 'acquire'), by(2, 'acquire'), by(1, 'release'))).toBeUndefined()
    expect(after(by(1, 'acquire'), by(1, 'release'), by(1, 'renew'))).toBeUndefined()
  })

  it('has run out when its holder is refused', () => {
    const refused = { output: false }
    expect(after(by(1, 'acquire'), by(1, 'renew', refused))).toEqual({ holder: null, token: null })
    expect(after(by(1, 'acquire'), by(1, 'renew', refused), by(1, 'renew'))).toBeUndefined()
    expect(after(by(1, 'acquire'), by(2, 'release', refused), by(1, 'renew'))).toBeDefined()
  })

  it('refuses to grant only while somebody has it', () => {
    const refused = { output: false }
    expect(after(by(1, 'acquire'), by(2, 'acquire', refused))).toBeDefined()
    expect(after(by(2, 'acquire', refused))).toBeUndefined()
    expect(after(by(1, 'acquire'), by(1, 'release'), by(2, 'acquire', refused))).toBeUndefined()
  })

  it('has tokens that grow with each grant', () => {
    const token = (output: ModelOperation['output']) => ({ output })
    expect(after(by(1, 'acquire', token(3)), by(2, 'acquire', token({ token: 4 })))).toEqual({
      holder: '2',
      token: 4,
    })
    expect(after(by(1, 'acquire', token(3)), by(2, 'acquire', token(3)))).toBeUndefined()
    expect(after(by(1, 'acquire', token(3)), by(1, 'renew', token(3)))).toBeDefined()
    expect(after(by(1, 'acquire', token(3)), by(1, 'renew', token(2)))).toBeUndefined()
    expect(after(by(1, 'acquire', token(3)), by(1, 'acquire', token(3)))).toBeDefined()
    expect(after(by(1, 'acquire', token(3)), by(1, 'release'), by(1, 'acquire', token(3)))).toBeUndefined()
  })

  it('takes an answer that repeats the input for no token', () => {
    expect(after(by(1, 'acquire', { output: 30 }), by(2, 'acquire', { input: 10, output: 10 }))).toEqual({
      holder: '2',
      token: 30,
    })
  })

  it('lets unknown operations have taken effect, and failed ones not', () => {
    const [unknown, failed] = (['unknown', 'failed'] as const).map((outcome) => ({ outcome, output: null }))
    expect(after(by(1, 'acquire'), by(2, 'acquire', unknown), by(1, 'renew'))).toBeUndefined()
    expect(after(by(1, 'acquire'), by(2, 'acquire', failed), by(1, 'renew'))).toBeDefined()
    expect(after(by(1, 'acquire'), by(2, 'release', unknown), by(1, 'renew'))).toBeDefined()
    expect(after(by(1, 'acquire'), by(1, 'release', unknown), by(1, 'renew'))).toBeUndefined()
  })

  it('knows what changes nothing', () => {
    expect(model.isObserver('renew')).toBe(false)
    expect(model.isObserver('acquire', by(1, 'acquire', { output: false }))).toBe(true)
    expect(model.isObserver('renew', by(1, 'renew', { output: false }))).toBe(false)
    expect(model.isObserver('renew', by(1, 'renew', { outcome: 'failed' }))).toBe(true)
  })

  it('says who has it', () => {
    expect(model.describeState(model.init(null))).toBe('held by nobody')
    expect(model.describeState({ holder: '2', token: 7 })).toBe('granted to process 2, last token 7')
  })
})
