import type { ModelOperation } from '../../src/models/index.js'

/** An answered operation as a model sees it. */
export function call(type: string, given: Partial<ModelOperation> = {}): ModelOperation {
  return { type, key: null, input: null, output: null, outcome: 'ok', ...given }
}
