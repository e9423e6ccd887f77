import type { Element, ElementContent } from 'hast'
import { h } from 'hastscript'
import type { ScenarioRecord } from '../../../session/record.js'
import { safeName } from '../../../session/names.js'
import { tellingRun, violationOf } from '../../violation.js'
import { findingBlocks } from '../finding.js'
import type { ViolationContext } from '../violation.js'
import { count } from '../words.js'
import { htmlOf } from './blocks.js'
import type { DrawnHistory } from './history/drawn-history.js'
import { cycleDiagram } from './plots/cycle.js'
import { latencyPlot } from './plots/latency.js'
import { spaceTime } from './plots/space-time.js'
import { throughputPlot } from './plots/throughput.js'
import { timeScale } from './plots/time-scale.js'
import { timeline } from './plots/timeline.js'
import { sectionsOf, type Section } from './sections.js'
import { verdictBadge } from './verdict-badge.js'

/** The history of the run that tells most of a scenario, or why it cannot be drawn. */
export type Drawing = { readonly history: DrawnHistory } | { readonly unreadable: string }

const cyclesMost = 3

/** Everything of one scenario: what was claimed, the counterexample, the run over time, and what was recorded. */
export function scenarioSection(
  record: ScenarioRecord,
  { drawing, violation }: { readonly drawing: Drawing | null; readonly violation: ViolationContext },
): Element {
  const id = anchorOf(record)
  const { lead, sections } = sectionsOf(findingBlocks(record, violation))
  const told = lead.filter(({ type }) => type !== 'heading').slice(1)
  return h('section', { ariaLabelledBy: id }, [
    h('h3', { id }, [`${record.id} `, h('code', record.name), ' ', verdictBadge(record.ruling.verdict)]),
    ...htmlOf(told, { top: 2 }),
    ...counterexample(record, { drawing, violation }),
    ...sections
      .filter(({ title }) => title === violationTitle)
      .flatMap(({ blocks }) => htmlOf(blocks, { top: 3 })),
    ...overTime(record, drawing),
    ...sections.filter(({ title }) => title !== violationTitle).map(folded),
  ])
}

const violationTitle = 'Violation'

function folded({ title, blocks }: Section): Element {
  return h('details', [h('summary', title), ...htmlOf(blocks, { top: 3 })])
}

/** The place of a scenario in the page. */
export function anchorOf({ name }: Pick<ScenarioRecord, 'name'>): string {
  return `scenario-${safeName(name)}`
}

function counterexample(
  record: ScenarioRecord,
  { drawing, violation }: { readonly drawing: Drawing | null; readonly violation: ViolationContext },
): ElementContent[] {
  const found = violationOf(record)
  if (found === null) return []
  const operations = new Map(
    drawing === null || 'unreadable' in drawing
      ? []
      : drawing.history.operations.map(({ operation }) => [String(operation.op_id), operation]),
  )
  const cycles = found.check.anomalies.flatMap((anomaly) => cycleDiagram(anomaly, operations) ?? [])
  return [
    h('h4', 'Counterexample'),
    ...(violation.counterexample.length === 0 ? [] : [spaceTime(violation.counterexample, found.run.faults)]),
    ...cycles.slice(0, cyclesMost),
  ]
}

function overTime(record: ScenarioRecord, drawing: Drawing | null): ElementContent[] {
  const run = tellingRun(record)
  if (run === undefined) return []
  if (drawing === null) return [h('p', `Run ${run.name} recorded no history, so there is nothing to draw.`)]
  if ('unreadable' in drawing) {
    return [h('p', `The history of run ${run.name} could not be drawn: ${drawing.unreadable}`)]
  }
  const { history } = drawing
  const time = timeScale(history.end)
  const others = record.runs.length - 1
  return [
    h('h4', `Run ${run.name} over time`),
    ...(others === 0
      ? []
      : [
          h(
            'p.remark',
            `Of ${count(record.runs.length, 'run')} the one that tells most is drawn; all are among the runs below.`,
          ),
        ]),
    h('div', { dataRun: '' }, [
      timeline(history, run.faults, time),
      latencyPlot(history, run.faults, time),
      throughputPlot(history, run.faults, time),
    ]),
  ]
}
