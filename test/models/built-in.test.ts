import { expect, it } from 'vitest'
import { isBuiltIn } from '../../src/models/built-in.js'
import { lock, model, modelNamed, modelNames, queue, register, semaphore } from '../../src/models/index.js'

it('knows every model that has a name, with any semantics', () => {
  for (const name of modelNames) expect(isBuiltIn(modelNamed(name)), name).toBe(true)
  expect(isBuiltIn(register({ init: 7, nullRead: 'unknown', failed: 'observed' }))).toBe(true)
  expect(isBuiltIn(semaphore(3))).toBe(true)
  expect(isBuiltIn(lock({ failed: 'observed' }))).toBe(true)
})

it("does not take a model of the user's own for one of them because of its name", () => {
  const own = model<null>({ name: 'queue', operations: ['enqueue'], init: () => null, step: () => null })
  expect(isBuiltIn(own)).toBe(false)
  expect(isBuiltIn({ ...queue(), step: (state) => state })).toBe(false)
  const { registerAction: _, ...blind } = register()
  expect(isBuiltIn(blind)).toBe(false)
  expect(isBuiltIn({ ...queue(), semantics: { ...queue().semantics, init: 'no list' } })).toBe(false)
})
