import type { Json } from '../json.js'

const nullCode = -1
const directLimit = 2 ** 30

/** Gives the names in a column ids, counted from 0 in order of first use. */
export class Names<Name extends string | number | null> {
  readonly list: Name[] = []
  readonly #ids = new Map<Name, number>()
  #last: Name | undefined
  #lastId = 0

  constructor(first: readonly Name[] = []) {
    for (const name of first) this.of(name)
  }

  of(name: Name): number {
    // Neighbours often have the same name, and comparing is quicker than hashing.
    if (name === this.#last) return this.#lastId
    this.#lastId = this.#idOf(name)
    this.#last = name
    return this.#lastId
  }

  #idOf(name: Name): number {
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    this.list.push(name)
    this.#ids.set(name, this.list.length - 1)
    return this.list.length - 1
  }
}

/** Ids as numbers in a column: small ones as they are, all others as the negative place in a list, each once more. */
export class IdCodes {
  readonly #list: (string | number)[] = []

  codeOf(id: string | number): number {
    const isDirect = typeof id === 'number' && id >= 0 && id < directLimit && Number.isInteger(id)
    return isDirect ? id : -this.#list.push(id)
  }

  idOf(code: number): string | number {
    return code >= 0 ? code : (this.#list[-1 - code] as string | number)
  }
}

/**
 * Values as numbers in a column: small integers as they are, everything else as the negative place in a list. Strings
 * are kept once; lists and objects as often as they occur.
 */
export class ValueCodes {
  readonly #list: Json[] = [null]
  readonly #places = new Map<Json, number>()

  codeOf(value: Json): number {
    if (value === null) return nullCode
    if (typeof value === 'number' && value >= 0 && value < directLimit && Number.isInteger(value)) {
      return value
    }
    if (typeof value === 'object') return -this.#list.push(value)
    const known = this.#places.get(value)
    if (known !== undefined) return known
    const code = -this.#list.push(value)
    this.#places.set(value, code)
    return code
  }

  valueOf(code: number): Json {
    return code >= 0 ? code : (this.#list[-1 - code] as Json)
  }
}
