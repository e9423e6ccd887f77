import type { Model, ModelOperation } from '../../../models/model.js'
import { attributed } from '../../../models/operation-error.js'
import { OperationIds } from '../operation-ids.js'
import type { ModelCalls } from './model-calls.js'
import { none } from '../part.js'
import { illegal, role, type Behaviour, type Problem, type ValueUse } from './problem.js'
import { StepTable } from './step-table.js'

/** Measured on V8: a small state, and what a larger one takes for each character of its identity. */
const bytesPerState = 300
const bytesPerCharacter = 6

/** Operations of any model as the search takes them. Throws ModelOperationError for one that it cannot read. */
export function modelProblem(calls: ModelCalls, model: Model): Problem {
  const { count, invoke, complete, events } = calls
  return { count, invoke, complete, events, ...modelBehaviour(calls, model) }
}

/** What operations of one object do by a model. Throws ModelOperationError for one that it cannot read. */
export function modelBehaviour(
  calls: Pick<ModelCalls, 'key' | 'count' | 'seenAt' | 'idAt'>,
  model: Model,
): Pick<Problem, 'kind' | 'behaviour'> {
  const { kind, kinds } = kindsOf(calls)
  return { kind, behaviour: behaviourOf(kinds, { model, key: calls.key }) }
}

/** The kinds that there are, and the kind of each operation: those of one kind do the same in every state. */
export function kindsOf({ count, seenAt, idAt }: Pick<ModelCalls, 'count' | 'seenAt' | 'idAt'>): {
  readonly kind: Int32Array
  readonly kinds: readonly Kind[]
} {
  const kind = new Int32Array(count)
  const kinds: Kind[] = []
  const ids = new OperationIds()
  for (let index = 0; index < count; index += 1) {
    const seen = seenAt(index)
    const id = ids.of(seen)
    if (id === kinds.length) kinds.push({ seen, source: idAt(index) })
    kind[index] = id
  }
  return { kind, kinds }
}

/** What the kinds do by a model. Throws ModelOperationError for one that it cannot read. */
export function behaviourOf(
  kinds: readonly Kind[],
  { model, key }: { model: Model; key: ModelCalls['key'] },
): Behaviour {
  return new ModelBehaviour(model, key, kinds)
}

/** An operation of the kind, and its id in the history for messages. */
export interface Kind {
  readonly seen: ModelOperation
  readonly source: string | number
}

/** A model's steps between states, each asked for once. */
class ModelBehaviour implements Behaviour {
  readonly initial: number
  readonly roles: Uint8Array
  readonly value: ValueUse | null
  readonly leadsTo?: (state: number, kind: number) => boolean
  readonly #model: Model
  readonly #kinds: readonly Kind[]
  readonly #states: unknown[] = []
  readonly #stateIds = new Map<string | number, number>()
  readonly #steps = new StepTable()
  #stateBytes = 0

  constructor(model: Model, key: ModelCalls['key'], kinds: readonly Kind[]) {
    this.#model = model
    this.#kinds = kinds
    this.roles = new Uint8Array(kinds.length)
    for (const [kind, { seen, source }] of kinds.entries()) {
      this.roles[kind] = attributed(source, () => roleOf(model, seen))
    }
    this.initial = this.#stateId(model.init(key))
    this.value = this.#valueUse()
    if (!model.leadsTo) return
    const known = new StepTable()
    this.leadsTo = (state, kind) => {
      const before = known.get(state, kind)
      if (before !== undefined) return before === 1
      const { seen, source } = kinds[kind] as Kind
      const does = attributed(source, () => model.leadsTo?.(this.#states[state], seen)) !== false
      known.set(state, kind, does ? 1 : 0)
      return does
    }
  }

  get kinds(): number {
    return this.#kinds.length
  }

  get bytes(): number {
    return this.#stateBytes + this.#steps.bytes
  }

  step(state: number, kind: number): number {
    const known = this.#steps.get(state, kind)
    if (known !== undefined) return known
    const { seen, source } = this.#kinds[kind] as Kind
    const next = attributed(source, () => this.#model.step(this.#states[state], seen))
    const after = next === undefined ? illegal : this.#stateId(next)
    this.#steps.set(state, kind, after)
    return after
  }

  describe(state: number): string {
    return this.#model.describeState(this.#states[state])
  }

  /** How the kinds use the value, of a model of one value a key; its states are all known then. */
  #valueUse(): ValueUse | null {
    const model = this.#model
    if (!model.registerAction) return null
    const needs = new Int32Array(this.kinds).fill(none)
    const gives = new Int32Array(this.kinds).fill(none)
    const denies = new Int32Array(this.kinds).fill(none)
    const idOf = (value: string) => this.#stateId(JSON.parse(value))
    for (const [kind, { seen, source }] of this.#kinds.entries()) {
      const action = attributed(source, () => model.registerAction?.(seen) ?? null)
      if (action?.reads !== undefined) needs[kind] = idOf(action.reads)
      if (action?.differs !== undefined) denies[kind] = idOf(action.differs)
      if (action?.writes === undefined) continue
      if (action.writes === action.reads) {
        this.roles[kind] = role.observer
        continue
      }
      gives[kind] = idOf(action.writes)
      this.roles[kind] = action.reads === undefined ? role.overwrite : role.other
    }
    return { values: this.#states.length, needs, gives, denies }
  }

  #stateId(state: unknown): number {
    const identity = this.#model.identity(state)
    const known = this.#stateIds.get(identity)
    if (known !== undefined) return known
    const id = this.#states.push(state) - 1
    this.#stateIds.set(identity, id)
    this.#stateBytes += bytesPerState + bytesPerCharacter * String(identity).length
    return id
  }
}

function roleOf(model: Model, seen: ModelOperation): number {
  if (model.isObserver(seen.type, seen)) return role.observer
  return model.isOverwrite?.(seen) === true ? role.overwrite : role.other
}
