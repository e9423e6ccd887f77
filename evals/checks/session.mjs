import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { readJson } from '../../dist/src/session/read-json.js'
import { sessionLayout } from '../../dist/src/session/layout.js'
import { readPlan } from '../../dist/src/plan/read-plan.js'
import { sessionRecordSchema } from '../../dist/src/session/record.js'
import { readSession } from '../../dist/src/session/session.js'

/** What the properties below are asked of. Throws SessionError for a directory or record that cannot be used. */
export async function subjectOf(directory) {
  const { scenarios } = await readSession(directory)
  const layout = sessionLayout(directory)
  return {
    directory,
    layout,
    scenarios,
    report: await readJson(layout.reportJson, sessionRecordSchema),
    markdown: await readFile(layout.reportMarkdown, 'utf8'),
  }
}

/** Each kind of property: what is wrong with a session by it, in words; an empty list when nothing is. */
export const properties = {
  /** The report says what was recorded, no more and no less. */
  'report-agrees'({ scenarios, report, markdown }) {
    const told = new Map(report.scenarios.map(({ name, ruling }) => [name, ruling.verdict]))
    return [
      ...scenarios
        .filter(({ name, ruling }) => told.get(name) !== ruling.verdict)
        .map(
          ({ id, name, ruling }) =>
            `${id} is ${ruling.verdict} on record, ${told.get(name) ?? 'not there'} in report.json`,
        ),
      ...scenarios
        .filter(({ name, ruling }) => !rowOf(markdown, name).includes(ruling.verdict))
        .map(({ id, ruling }) => `report.md has no row of ${id} with ${ruling.verdict}`),
      ...(markdown.includes(`**${report.verdict}**`)
        ? []
        : [`report.md does not have the verdict ${report.verdict}`]),
    ]
  },
  /** Every scenario that was tried has a finding of its own. */
  'findings-written'({ scenarios, layout }) {
    return scenarios
      .filter(({ name, ruling }) => ruling.verdict !== 'NOT-RUN' && !existsSync(layout.finding(name)))
      .map(({ id }) => `${id} has no file among the findings`)
  },
  /** A pass cites the work of an oracle and, with faults, both sides of the evidence of each. */
  'passes-cited'({ scenarios }) {
    return scenarios.filter(({ ruling }) => ruling.verdict.startsWith('PASS')).flatMap(uncited)
  },
  /** A violation says whose it is, by experiments. */
  'violations-blamed'({ scenarios }) {
    return scenarios
      .filter(({ ruling }) => ruling.verdict.startsWith('FAIL'))
      .filter(({ classification }) => classification === null || classification.experiments.length === 0)
      .map(({ id }) => `${id} is violated, and nothing says whose it is`)
  },
  /** A violation was made small by runs. */
  'violations-reduced'({ scenarios, directory }) {
    return scenarios
      .filter(({ ruling }) => ruling.verdict.startsWith('FAIL'))
      .filter(({ reduction }) => !hasFile(directory, reduction?.reproducer))
      .map(({ id }) => `${id} is violated and has no reproducer`)
  },
  /** What is not settled says why. */
  'others-explained'({ scenarios }) {
    return scenarios
      .filter(
        ({ ruling }) =>
          /^(?:INCONCLUSIVE|PARTIAL|NOT-RUN)/.test(ruling.verdict) && ruling.reason.trim() === '',
      )
      .map(({ id, ruling }) => `${id} is ${ruling.verdict} without a reason`)
  },
  /** Every scenario of the plan is in the session, run or not. */
  async 'plan-covered'({ scenarios, layout }) {
    if (!existsSync(layout.plan)) return ['the session has no copy of a plan']
    const { plan } = await readPlan(layout.plan)
    const recorded = new Set(scenarios.flatMap(({ id, arm }) => [id, arm?.id ?? id]))
    return plan.scenarios
      .filter(({ id }) => !recorded.has(id))
      .map(({ id }) => `${id} of the plan is not in the session`)
  },
  tier({ report }, { is }) {
    return report.tier === is ? [] : [`the tier ${report.tier} was attempted`]
  },
  /** The verdicts that are right for this system. */
  verdict({ scenarios }, { scenario, among }) {
    const found = scenarios.find(({ id, name }) => id === scenario || name === scenario)
    if (found === undefined) return [`${scenario} is not in the session`]
    return among.includes(found.ruling.verdict) ? [] : [`${scenario} is ${found.ruling.verdict}`]
  },
}

function uncited({ id, runs, nemesis }) {
  const seeds = runs.filter(({ purpose }) => purpose === 'seed')
  const judged = seeds.flatMap(({ checks }) => checks).filter(({ operations }) => operations > 0)
  const faults = seeds.flatMap((run) => run.faults)
  return [
    ...(judged.length === 0 ? [`${id} passes, and no oracle consumed an operation`] : []),
    ...(nemesis.length > 0 && faults.length === 0 ? [`${id} passes, and none of its faults went in`] : []),
    ...faults
      .filter(({ landed, evidence }) => !landed || !hasBothSides(evidence))
      .map((fault) => `${id} passes, and ${fault.id} ${fault.fault} lacks evidence of both sides`),
  ]
}

function hasBothSides(evidence) {
  return ['injector', 'victim'].every((side) =>
    evidence.some((one) => one.side === side && one.before !== one.after),
  )
}

function hasFile(directory, file) {
  return typeof file === 'string' && existsSync(path.join(directory, file))
}

function rowOf(markdown, name) {
  return markdown.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${name}\``)) ?? ''
}
