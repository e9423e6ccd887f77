export { invalidHistory, type InvalidHistory } from './invalid-history.js'
export type { HistoryShape } from './shape.js'
export { validHistory } from './valid-history.js'
