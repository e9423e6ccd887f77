import { DeclarationError } from '../errors.js'
import { casRegister } from './cas-register.js'
import { counter } from './counter.js'
import { kvStringAppend } from './kv-string-append.js'
import { lease } from './lease.js'
import { ledger } from './ledger.js'
import { listAppend } from './list-append.js'
import { lock } from './lock.js'
import { log } from './log.js'
import { map } from './map.js'
import { membershipTable } from './membership-table.js'
import type { Model, Semantics } from './model.js'
import { multiRegister } from './multi-register.js'
import { priorityQueue } from './priority-queue.js'
import { queue } from './queue.js'
import { register } from './register.js'
import { rwRegister } from './rw-register.js'
import { semaphore } from './semaphore.js'
import { session } from './session.js'
import { set } from './set.js'
import { stack } from './stack.js'

const factories: Readonly<Record<string, (semantics?: Partial<Semantics>) => Model>> = {
  register,
  'cas-register': casRegister,
  map,
  'multi-register': multiRegister,
  'kv-string-append': kvStringAppend,
  queue,
  stack,
  'priority-queue': priorityQueue,
  counter,
  set,
  log,
  lock,
  semaphore: (semantics) => semaphore(Number(semantics?.init ?? 1), semantics),
  ledger,
  lease,
  session,
  'membership-table': membershipTable,
  'list-append': listAppend,
  'rw-register': rwRegister,
}

/** The names that `modelNamed` knows. */
export const modelNames: readonly string[] = Object.keys(factories)

/** A built-in model by its name. Throws DeclarationError listing the names when there is none, or when the semantics are wrong. */
export function modelNamed(name: string, semantics?: Partial<Semantics>): Model {
  const factory = Object.hasOwn(factories, name) ? factories[name] : undefined
  if (factory) return factory(semantics)
  throw new DeclarationError('model-name', `there is no model ${JSON.stringify(name)}`, {
    hint: `models are ${modelNames.join(', ')}`,
  })
}
