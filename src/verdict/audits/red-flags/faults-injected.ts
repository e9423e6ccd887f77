import type { Evidence, FaultWindow } from '../../../nemesis/evidence.js'
import { judged, notApplicable, type AuditCheck } from '../check.js'
import { windowName, windowsOf } from '../recorded.js'

/** Every declared fault was put in place, and of each the injector and a victim gave a reading that changed. */
export const faultsInjected: AuditCheck = {
  name: 'faults-injected',
  blocks: 'PASS',
  downgrade: 'PARTIAL-surface',
  evaluate(audited) {
    const { record, runs } = audited
    const windows = windowsOf(audited)
    const planned = runs.flatMap(({ name, schedule }) =>
      schedule.map((scheduled) => ({ name, ...scheduled })),
    )
    if (windows.length === 0 && planned.length === 0 && record.nemesis.length === 0)
      return notApplicable('no fault is declared, and none was injected')
    const silent = planned.filter(({ faults }) => faults.every(({ id }) => id === null))
    const problems = silent.map(({ name, declared }) => `${name}: ${declared} was never put in place`)
    if (windows.length === 0 && silent.length === 0) problems.push('no run has a fault window')
    const evidence = windows.map((one) => {
      const sides = (['injector', 'victim'] as const).map((side) => shown(one.window, side))
      if (!one.window.landed)
        problems.push(`${windowName(one)} did not land: ${one.window.cause ?? 'no cause was recorded'}`)
      else if (sides.includes(null))
        problems.push(
          `${windowName(one)}: nothing changed on ${sides[0] === null ? "the injector's" : "a victim's"} side`,
        )
      return `${windowName(one)}: ${sides.map((reading) => reading ?? 'no reading that changed').join('; ')}`
    })
    return judged(problems, evidence)
  },
}

/** The first reading of a side that changed, in words. What had to stand still shows nothing by changing. */
function shown({ evidence }: FaultWindow, side: Evidence['side']): string | null {
  const reading = evidence.find(
    (one) => one.side === side && one.expected !== 'still' && one.after !== null && one.after !== one.before,
  )
  if (reading === undefined) return null
  return `${side} ${reading.subject} ${reading.signal} ${reading.before} -> ${reading.after}`
}
