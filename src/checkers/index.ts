export type { Anomaly, Checker, CheckInput, CheckResult, CollectContext } from './checker.js'
export { linearizable } from './linearizability/linearizable.js'
export { checkersFor } from './picker.js'
