import type { Element } from 'hast'
import { h } from 'hastscript'
import { outcomeOf, type Operation } from '../../../../history/operation.js'
import { describeCall } from '../../../../models/describe.js'
import { seconds } from '../../words.js'
import type { DrawnOperation } from '../history/drawn-history.js'
import { short } from '../short.js'

/** `write(k0, 4) -> ok`, of any length cut to what fits. */
export function callInWords(operation: Operation, most?: number): string {
  const { op_type: type, key, input, output } = operation
  return short(describeCall({ type, key, input, output, outcome: outcomeOf(operation) }), most)
}

/** The operations that are drawn, a row each in the order of the drawing: the page's script tells marks from it. */
export function drawnOperationsTable(drawn: readonly DrawnOperation[]): Element {
  const titles = ['Operation', 'Call', 'Process', 'Began', 'Took', 'Outcome', 'Node', 'Fault']
  return h('table', { dataOperations: '' }, [
    h(
      'thead',
      h(
        'tr',
        titles.map((title) => h('th', { scope: 'col' }, title)),
      ),
    ),
    h(
      'tbody',
      drawn.map(({ operation, isCore }) => row(operation, isCore)),
    ),
  ])
}

function row(operation: Operation, isCore: boolean): Element {
  const { op_id, process_id, invoke_ts, complete_ts, error, node_seen, fault_epoch } = operation
  const outcome = outcomeOf(operation)
  return h('tr', [
    h('th', { scope: 'row' }, `${short(String(op_id), 40)}${isCore ? ' (counterexample)' : ''}`),
    h('td', callInWords(operation)),
    h('td', short(String(process_id), 40)),
    h('td', seconds(invoke_ts)),
    h('td', complete_ts === null ? 'no answer' : milliseconds(complete_ts - invoke_ts)),
    h('td', error === null ? outcome : `${outcome}: ${short(error)}`),
    h('td', short(node_seen ?? '-', 40)),
    h('td', short(fault_epoch ?? '-', 40)),
  ])
}

function milliseconds(ns: number): string {
  return `${Number((ns / 1e6).toPrecision(3))} ms`
}
