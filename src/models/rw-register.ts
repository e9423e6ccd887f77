import type { Model, Semantics } from './model.js'
import { registersModel, type Registers } from './registers.js'

/**
 * Registers that transactions read and write, as Jepsen records them: `txn([[r|w, key, value], …])`, where the input has
 * null for what is read and the answer has the results. Applied at once, and an operation sees what an earlier one of the
 * same transaction wrote. `init` maps keys to values; other keys are null.
 * Throws DeclarationError when the semantics are wrong.
 */
export function rwRegister(semantics?: Partial<Semantics>): Model<Registers> {
  return registersModel({ name: 'rw-register', requires: ['output'] }, semantics)
}
