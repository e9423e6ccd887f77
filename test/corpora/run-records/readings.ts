import type { Evidence } from '../../../src/nemesis/evidence.js'
import type { Given } from './given.js'

type Reading = NonNullable<Given['victim']>[number]

const at = (ms: unknown) => Math.round(Number(ms ?? 0) * 1e6)
const number = (value: unknown) => Number(value)

/** What both sides of a planned fault showed, as readings of fault windows. */
export function evidenceOf(given: Given): Evidence[] {
  return [...injectorSide(given), ...victimSide(given)]
}

/** Its own word counts as a reading only where nothing was measured. */
function injectorSide({ plan, injector }: Given): Evidence[] {
  if (injector === undefined) return []
  const row = (signal: string, before: Evidence['before'], after: Evidence['after']): Evidence[] =>
    subjectsOf(plan).map((subject) => ({ side: 'injector', subject, signal, before, after, at: 0 }))
  const { qdiscInTargetNamespace: disciplines, proxyBytes: bytes } = injector
  if (disciplines !== undefined)
    return row("queueing disciplines in the target's namespace", 0, disciplines.length)
  if (bytes !== undefined) {
    return row('bytes that met the proxy', bytes[0]?.total ?? null, bytes.at(-1)?.total ?? null)
  }
  return row('says that it is in place', 'no', injector.ok ? 'yes' : 'no')
}

function subjectsOf(plan: Given['plan']): string[] {
  if (plan?.pairs !== undefined) return plan.pairs.map(([from, to]) => `${from}->${to}`)
  return plan?.isolate ?? [plan?.target ?? plan?.node ?? plan?.proxy ?? 'the system']
}

function victimSide(given: Given): Evidence[] {
  const readings = given.victim ?? []
  return [
    ...ownClock(given, readings),
    ...roundTrips(given, readings),
    ...stateOfTheIsolated(given, readings),
    ...answersWhilePaused(given, readings),
    ...counts(readings),
  ]
}

const victim = (reading: Omit<Evidence, 'side'>): Evidence => ({ side: 'victim', ...reading })

/** How far a clock is off: 0 before the fault. A probe that asks another process than the target is no victim. */
function ownClock({ plan }: Given, readings: readonly Reading[]): Evidence[] {
  const asked = readings.filter(({ probe }) => probe === undefined || /^target's own\b/.test(String(probe)))
  return asked.flatMap((reading) =>
    (['offsetMs', 'offsetS'] as const)
      .filter((field) => field in reading)
      .map((field) =>
        victim({
          subject: subjectsOf(plan).join(', '),
          signal: `its own clock (${field})`,
          before: 0,
          after: number(reading[field]),
          at: at(reading['tMs']),
        }),
      ),
  )
}

/** A delay shows when round trips take at least four fifths of it longer, as the fault of that name wants it. */
function roundTrips({ plan }: Given, readings: readonly Reading[]): Evidence[] {
  const phase = (name: string) => readings.find((reading) => reading['phase'] === name)
  const [before, during] = [phase('before'), phase('during')]
  if (before === undefined || during === undefined) return []
  const longer = number(during['rttMsP50']) - number(before['rttMsP50'])
  const signal = 'round trips are longer by the delay'
  const after = longer >= 0.8 * (plan?.addMs ?? 0) ? 'yes' : 'no'
  return [victim({ subject: subjectsOf(plan).join(', '), signal, before: 'no', after, at: 0 })]
}

/** The state of a node that is cut off must stand still while that of the others moves on. */
function stateOfTheIsolated({ plan }: Given, readings: readonly Reading[]): Evidence[] {
  const [first, last] = [readings[0] ?? {}, readings.at(-1) ?? {}]
  const others = Object.keys(first).filter((name) => name.startsWith('cluster.'))
  return (plan?.isolate ?? []).flatMap((node) =>
    Object.keys(first)
      .filter((name) => name.startsWith(`${node}.`))
      .flatMap((name) => {
        const what = name.slice(node.length + 1)
        const behind = (reading: Reading) => number(reading[others[0] ?? name]) - number(reading[name])
        const when = at(last['tMs'])
        return [
          victim({
            subject: node,
            signal: what,
            before: number(first[name]),
            after: number(last[name]),
            expected: 'still',
            at: when,
          }),
          victim({
            subject: node,
            signal: `${what}s behind`,
            before: behind(first),
            after: behind(last),
            at: when,
          }),
        ]
      }),
  )
}

/** A node that is paused answers nothing. */
function answersWhilePaused({ plan }: Given, readings: readonly Reading[]): Evidence[] {
  return readings
    .filter((reading) => 'answersDuringWindow' in reading)
    .map((reading) =>
      victim({
        subject: subjectsOf(plan).join(', '),
        signal: 'answers',
        before: 0,
        after: number(reading['answersDuringWindow']),
        expected: 'still',
        at: 0,
      }),
    )
}

/** Troubles counted from the injection on, such as errors. */
function counts(readings: readonly Reading[]): Evidence[] {
  return readings.flatMap((reading) =>
    Object.entries(reading)
      .filter(([name]) => name.endsWith('.errors'))
      .map(([name, value]) =>
        victim({
          subject: name.replace(/\.errors$/, ''),
          signal: 'errors',
          before: 0,
          after: number(value),
          at: 0,
        }),
      ),
  )
}
