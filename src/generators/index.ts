export type { HistoryShape } from './shape.js'
export { validHistory } from './valid-history.js'
