// How operations of well-known types of objects stand in columns: the words between models and exact checkers.

/** No value: an empty take, a result that is not known. */
export const none = -1

export type ObjectType =
  | 'register'
  | 'counter'
  | 'set'
  | 'grow-set'
  | 'queue'
  | 'stack'
  | 'priority-queue'
  | 'log'
  | 'semaphore'

/** `a` is a value id; id 0 is the initial value. A CAS has the expected value in `a` and the new one in `b`. */
export const registerKind = { read: 0, write: 1, cas: 2, differs: 3 } as const
/** `a` is the amount added, or the value read; plain integers, counted from the initial value. `addAndGet` also saw the value `b` that it left. */
export const counterKind = { add: 0, read: 1, addAndGet: 2 } as const
/** `a` is the element (its part when partitioned by element), `b` 1 or 0 for the result true or false, `none` for no result. */
export const setKind = { add: 0, remove: 1, contains: 2 } as const
/** `a` is the element of an add; a read has the elements in `lists`. */
export const growSetKind = { add: 0, read: 1 } as const
/** `a` is the element, `none` when it was empty; of a priority queue `b` is the priority, higher first. */
export const containerKind = { put: 0, take: 1 } as const
/** `a` is the element, `b` the offset where known, counted from 0; `list` has the elements in `lists`; `at` reads `a` (or `none`) at offset `b`; `tail` saw the length `b`; `slice` has in `lists` the elements from offset `b` on, perhaps not up to the end. */
export const logKind = { append: 0, list: 1, at: 2, tail: 3, slice: 4 } as const
/** `a` is the number of permits of the whole semaphore (1 for a mutex) and the same in every operation. */
export const semaphoreKind = { acquire: 0, release: 1 } as const
