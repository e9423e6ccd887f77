import { never, registerKind, type Part } from '../../part.js'

/** An operation of a window. Ranks are those of the part. */
export interface WindowOperation {
  /** Index in the part. */
  readonly index: number
  readonly kind: number
  readonly a: number
  readonly b: number
  /** -1 when it was open at the start of the window: it may have taken effect before. */
  readonly invoke: number
  /** `never` when it need not take effect in the window. */
  readonly complete: number
}

/**
 * A stretch of a register's history, after the event `start` (-1: from the beginning) up to the event `end`, without what
 * is not known from it alone: operations that returned before it are left out. Of those open at its start or its end
 * reads and refused CAS are left out too, as they may have met a state that is not in it, and the others
 * need not take effect in it.
 *
 * Any order of the whole history, cut down to what takes effect in the window, is one of the window's, from the value that
 * the register had at its start. So a window that has no order from any value refutes the whole history.
 */
export function windowOf(part: Part, { start, end }: { start: number; end: number }): WindowOperation[] {
  const window: WindowOperation[] = []
  for (let index = 0; index < part.count; index += 1) {
    const began = part.invoke[index] as number
    const ended = part.complete[index] as number
    if (began > end || ended <= start) continue
    const kind = part.kind[index] as number
    const isInside = began > start && ended <= end
    const isObserver = kind === registerKind.read || kind === registerKind.differs
    if (isObserver && !isInside) continue
    window.push({
      index,
      kind,
      a: part.a[index] as number,
      b: part.b[index] as number,
      invoke: began > start ? began : -1,
      complete: isInside ? ended : never,
    })
  }
  return window
}
