// Makes one history of the wanted size and judges it by one checker; prints what that took as one JSON line. Used by
// checkers.mjs.
import { subjects } from './checker-subjects.mjs'

const [name, operations] = process.argv.slice(2)
const subject = subjects.find((one) => one.name === name)
const { checker, model, history, faults } = subject.make(Number(operations))

globalThis.gc?.()
const heldMb = process.memoryUsage().rss / 2 ** 20
const before = process.cpuUsage()
const result = await checker.check({
  operations: history,
  model,
  collected: null,
  timeoutMs: 300_000,
  ...(faults && { faults }),
})
const { user, system } = process.cpuUsage(before)
const peakMb = process.resourceUsage().maxRSS / 1_024
console.log(
  JSON.stringify({
    valid: result.valid,
    reason: result.reason,
    cpuMs: (user + system) / 1_000,
    heldMb,
    peakMb,
  }),
)
