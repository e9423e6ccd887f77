import { inspect } from 'node:util'
import { DeclarationError } from '../errors.js'
import { milliseconds, perSecond } from '../time/duration.js'
import type { OperationSpec, WorkloadSpec } from './workload.js'

const workloadOptions = ['clients', 'rate', 'keys', 'operations', 'timeout', 'think', 'classify']
const keyOptions = ['count', 'skew']
const operationOptions = ['weight', 'input', 'mutates', 'run']

/** Throws DeclarationError, naming the path from `workload`, for the first thing wrong with a declaration. */
export function validateWorkload(spec: WorkloadSpec<never>): void {
  requireObject(spec, 'workload', workloadOptions)
  requireCount(spec.clients, 'workload.clients')
  if (spec.rate !== undefined) perSecond(spec.rate, 'workload.rate')
  if (spec.keys !== undefined) validateKeys(spec.keys)
  if (spec.timeout !== undefined)
    requirePositive(milliseconds(spec.timeout, 'workload.timeout'), 'workload.timeout')
  if (spec.think !== undefined) {
    milliseconds(spec.think, 'workload.think')
    if (spec.rate !== undefined) {
      throw wrong(
        'workload.think is for closed loops, but workload.rate makes this an open loop',
        'drop one of the two',
      )
    }
  }
  if (spec.classify !== undefined) requireFunction(spec.classify, 'workload.classify')
  validateOperations(spec.operations)
}

function validateKeys(keys: NonNullable<WorkloadSpec<never>['keys']>): void {
  requireObject(keys, 'workload.keys', keyOptions)
  requireCount(keys.count, 'workload.keys.count')
  if (keys.skew !== undefined && keys.skew !== 'uniform' && keys.skew !== 'zipf') {
    throw wrong(`workload.keys.skew is ${show(keys.skew)}; expected 'uniform' or 'zipf'`)
  }
}

function validateOperations(operations: WorkloadSpec<never>['operations']): void {
  requireObject(operations, 'workload.operations')
  const entries = Object.entries(operations)
  if (entries.length === 0) throw wrong('workload.operations is empty; expected at least one operation')
  for (const [type, operation] of entries) validateOperation(operation, `workload.operations.${type}`)
  if (entries.every(([, operation]) => operation.weight === 0)) {
    throw wrong('every operation in workload.operations has weight 0; at least one must have more')
  }
}

function validateOperation(operation: OperationSpec<never>, path: string): void {
  requireObject(operation, path, operationOptions)
  requireFunction(operation.run, `${path}.run`)
  const { weight, mutates, input } = operation
  if (weight !== undefined && !(typeof weight === 'number' && Number.isFinite(weight) && weight >= 0)) {
    throw wrong(`${path}.weight is ${show(weight)}; expected a number that is not negative`)
  }
  if (mutates !== undefined && typeof mutates !== 'boolean') {
    throw wrong(`${path}.mutates is ${show(mutates)}; expected true or false`)
  }
  if (input !== undefined && typeof (input as { generate?: unknown } | null)?.generate !== 'function') {
    throw wrong(`${path}.input is ${show(input)}; expected a fast-check arbitrary`, 'such as fc.integer()')
  }
}

function requireObject(value: unknown, path: string, options?: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(`${path} is ${show(value)}; expected an object`)
  }
  const extra = options === undefined ? undefined : Object.keys(value).find((name) => !options.includes(name))
  if (extra !== undefined)
    throw wrong(`${path}.${extra} is not an option`, `options are ${options?.join(', ')}`)
}

function requireCount(value: unknown, path: string): void {
  if (Number.isSafeInteger(value) && (value as number) >= 1) return
  throw wrong(`${path} is ${show(value)}; expected a whole number of at least 1`)
}

function requirePositive(value: number, path: string): void {
  if (value <= 0) throw wrong(`${path} is ${value}; expected more than 0`)
}

function requireFunction(value: unknown, path: string): void {
  if (typeof value !== 'function') throw wrong(`${path} is ${show(value)}; expected a function`)
}

function show(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : inspect(value)
}

function wrong(message: string, hint?: string): DeclarationError {
  return new DeclarationError('workload', message, hint === undefined ? {} : { hint })
}
