import type { Model, Semantics } from './model.js'
import { registersModel, type Registers } from './registers.js'

/**
 * Several registers under one roof: `txn([[read|write, key, value], …])` is applied at once, and an operation sees what
 * an earlier one of the same transaction wrote. `init` maps keys to values; other keys are null.
 * Throws DeclarationError when the semantics are wrong.
 */
export function multiRegister(semantics?: Partial<Semantics>): Model<Registers> {
  return registersModel({ name: 'multi-register', requires: ['node_seen'] }, semantics)
}
