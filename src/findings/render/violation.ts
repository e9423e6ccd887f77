import type { Operation } from '../../history/operation.js'
import type { ScenarioRecord } from '../../session/record.js'
import { proofOf, shortestAnomaly, violationOf } from '../violation.js'
import { classificationBlocks } from './classification.js'
import {
  code,
  codeBlock,
  joined,
  labelled,
  list,
  paragraph,
  strong,
  type Block,
  type Inline,
} from './markdown.js'
import { reductionBlocks } from './reduction.js'
import { filesOf, operationsTable } from './tables.js'
import { count } from './words.js'

const mostAnomalies = 3

/** What a violation is told with. */
export interface ViolationContext {
  /** The session directory as a reader types it. */
  readonly sessionPath: string
  /** The plan's hypotheses that the scenario was written for, in words. */
  readonly hypotheses: readonly string[]
  /** The operations that show the violation best; see `proofOf`. */
  readonly counterexample: readonly Operation[]
}

/** One found violation: what was claimed, what happened instead, and how to see it again. Empty without a violation. */
export function violationBlocks(record: ScenarioRecord, context: ViolationContext): Block[] {
  const violation = violationOf(record)
  if (violation === null) return []
  const { run, check } = violation
  const shortest = shortestAnomaly(check)
  const proof = proofOf(record)
  const others = check.anomalies.filter((anomaly) => anomaly !== shortest)
  const [shown, left] = [others.slice(0, mostAnomalies), others.slice(mostAnomalies)]
  return [
    paragraph(labelled('Falsified', [...claimsInWords(record), '.'])),
    ...(context.hypotheses.length === 0
      ? []
      : [paragraph(labelled('Hypothesis', context.hypotheses.join('; ')))]),
    ...regressionBlocks(record),
    paragraph(
      labelled(
        'What happened',
        `in run ${run.name}, under ${faultsOf(run.faults)}, ${check.checker} found ${count(check.anomalies.length, 'violation')}. ${seenAgain(record)}`,
      ),
    ),
    ...(proof === null
      ? []
      : [paragraph(`${shortest === undefined ? '' : `${shortest.type}: `}${proof.explanation}`)]),
    ...(context.counterexample.length === 0
      ? []
      : [paragraph(strong('Counterexample:')), operationsTable(context.counterexample)]),
    ...(shown.length === 0 ? [] : [paragraph(strong('Also found:'))]),
    ...(shown.length === 0
      ? []
      : [
          list([
            ...shown.map(({ type, explanation }) => `${type}: ${explanation}`),
            ...(left.length === 0 ? [] : [`${left.length} more, in record.json`]),
          ]),
        ]),
    paragraph(strong('Reproduce it (same seed, configuration and fault sequence):')),
    codeBlock('sh', reproducer(record, context.sessionPath, run.seed)),
    ...reductionBlocks(record.reduction),
    ...classificationBlocks(record.classification),
    paragraph(labelled('Evidence', joined(filesOf(run), ', '))),
    paragraph(
      labelled('Scope', `${check.checker} cannot detect: ${check.scope.join('; ') || 'nothing declared'}.`),
    ),
  ]
}

function regressionBlocks({ regression }: Pick<ScenarioRecord, 'regression'>): Block[] {
  if (regression === null) return []
  const last =
    regression.lastFailedAt === null ? 'for the first time here' : `last on ${regression.lastFailedAt}`
  return [paragraph(labelled('Regression', `expected of ${regression.of}, which failed ${last}.`))]
}

function seenAgain({ runs }: Pick<ScenarioRecord, 'runs'>): string {
  const reruns = runs.filter(({ purpose }) => purpose === 'rerun')
  const violated = reruns.filter((run) => run.checks.some(({ valid }) => valid === false))
  if (reruns.length === 0) return 'It was not run again.'
  return `Seen again in ${violated.length} of ${count(reruns.length, 're-run')} with the same seed.`
}

/** The command that runs the violating pass again. */
export function reproducer(record: Pick<ScenarioRecord, 'id'>, sessionPath: string, seed: number): string {
  return `npx nemesis replay ${shellWord(sessionPath)} --scenario ${record.id} --seed ${seed}`
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** `C1` with its text, for every claim of the scenario. */
export function claimsInWords(record: Pick<ScenarioRecord, 'claims'>): Inline[] {
  return joined(
    record.claims.map(({ id, text }) => [code(id), ` ${text.replace(/\.$/, '')}`]),
    '; ',
  )
}

function faultsOf(faults: ScenarioRecord['runs'][number]['faults']): string {
  return faults.map(({ id, fault, target }) => `${id} ${fault} (${target})`).join(', ') || 'no fault'
}
