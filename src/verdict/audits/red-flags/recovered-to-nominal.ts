import type { Nominal, Service } from '../../../session/observation-record.js'
import type { RunRecord } from '../../../session/record.js'
import { notApplicable, type AuditCheck, type Outcome } from '../check.js'
import { percent } from '../recorded.js'

/** With fewer operations before or after the faults a comparison says nothing. */
const operationsLeast = 10
/** Of the rate before, how much must be there again. */
const rateLeast = 0.5
/** How much lower the share of operations that end ok may be. */
const okShareDrop = 0.05
/** How many times as high the 99th percentile may be, and how many milliseconds higher it may always be. */
const p99Factor = 3
const p99SlackMs = 50
/** With fewer a 99th percentile is the slowest single operation. */
const p99Operations = 100

/**
 * After the last heal every run was ready and at rest again, and served about as before its first fault. One that never
 * came back keeps the scenario from any pass.
 */
export const recoveredToNominal: AuditCheck = {
  name: 'recovered-to-nominal',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-surface',
  evaluate({ runs }) {
    const never = runs.filter(({ recoveryMs }) => recoveryMs === null)
    const evidence = runs.flatMap(inWords)
    if (never.length > 0) {
      const problems = never.map(({ name }) => `${name}: the system was never ready and at rest again`)
      return { result: 'unmet', blocks: 'PASS', evidence: [...problems, ...evidence] }
    }
    const faulted = runs.filter(({ faults }) => faults.length > 0)
    if (faulted.length === 0) {
      return notApplicable(`no fault was put in place, and every run came to rest: ${evidence.join('; ')}`)
    }
    const problems = faulted.flatMap(({ name, nominal }) =>
      degradations(nominal).map((problem) => `${name}: ${problem}`),
    )
    return outcome(problems, evidence)
  },
}

function outcome(problems: readonly string[], evidence: readonly string[]): Outcome {
  const tolerance =
    `tolerated: a rate of ${percent(rateLeast)} of before, ${percent(okShareDrop)} fewer that end ok, ` +
    `a p99 of ${p99Factor} times before or ${p99SlackMs} ms more`
  return {
    result: problems.length > 0 ? 'unmet' : 'met',
    evidence: [...problems, ...evidence, tolerance],
  }
}

function degradations(nominal: Nominal | null): string[] {
  if (nominal === null) return ['how it served before and after the faults was not measured']
  const { before, after } = nominal
  if (before === null) return ['it has no time before its first fault to compare with: let it begin later']
  if (after === null) return ['it has no time after its last fault: let the workload go on longer']
  const few = [before, after].find(({ operations }) => !(operations >= operationsLeast))
  if (few !== undefined)
    return [
      `${few.operations} operations ${few === before ? 'before' : 'after'} the faults are too few to compare (${operationsLeast} are the least)`,
    ]
  if (!(before.rate > 0))
    return [
      `none of ${before.operations} operations ended ok before the faults: there is nothing to come back to`,
    ]
  return [
    ...(!(after.rate >= rateLeast * before.rate)
      ? [`degraded: ${perSecond(after)} after the faults, ${perSecond(before)} before`]
      : []),
    ...(!(after.okShare >= before.okShare - okShareDrop)
      ? [`degraded: ${percent(after.okShare)} ended ok after the faults, ${percent(before.okShare)} before`]
      : []),
    ...(slower(before, after)
      ? [`degraded: p99 is ${p99(after)} after the faults, ${p99(before)} before`]
      : []),
  ]
}

function slower(before: Service, after: Service): boolean {
  if (after.p99 === null) return before.p99 !== null
  if (before.p99 === null || Math.min(before.operations, after.operations) < p99Operations) return false
  const most = Math.max(p99Factor * before.p99, before.p99 + p99SlackMs)
  return !(after.p99 <= most)
}

function inWords({ name, recoveryMs, nominal }: RunRecord): string[] {
  const came =
    recoveryMs === null ? [] : [`${name}: at rest ${Math.round(recoveryMs)} ms after the last heal`]
  if (!nominal?.before || !nominal.after) return came
  const tell = (service: Service) =>
    `${perSecond(service)}, ${percent(service.okShare)} ok, p99 ${p99(service)}`
  return [...came, `${name}: ${tell(nominal.before)} before the faults, ${tell(nominal.after)} after`]
}

function perSecond({ rate }: Service): string {
  return `${Number(rate.toPrecision(3))}/s`
}

function p99(service: Service): string {
  return service.p99 === null ? 'unknown' : `${Number(service.p99.toPrecision(3))} ms`
}
