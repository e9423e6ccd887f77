import type { Checker } from '../checker.js'
import { defineChecker } from '../define.js'
import { readFinals } from './final-reads.js'
import { judgeLive } from './live.js'
import { readOptions, type NoLostAckOptions } from './options.js'
import { judgeRecorded } from './recorded/recorded.js'

/**
 * No acknowledged write is lost: at the end every one is there, or something that may have replaced it.
 *
 * With `final` the end is what it reads at quiescence. An answer that is a list is taken for the elements of a set, queue
 * or log: each acknowledged element must be among them. Any other answer is the value of a register: it must be one that
 * a legal order of the writes could leave. Values that nobody wrote are anomalies of their own. Final reads that failed
 * make the answer `unknown` unless the others show a loss.
 *
 * Without `final` the history's own operations show the end: the last reads of registers and sets, reads that pass the
 * offset of a log's entry, and what came out of a queue that was drained. What they do not show leaves the answer
 * `unknown`.
 *
 * A write of unknown outcome is neither acknowledged nor rejected: its value may be there or not. Throws DeclarationError
 * when the options are wrong.
 */
export function noLostAck<Client = unknown>(options: NoLostAckOptions<Client> = {}): Checker<Client> {
  const { final, ...rules } = readOptions(options)
  return defineChecker<Client>({
    name: 'no-lost-ack',
    pattern: 10,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope: [
      'what happened before the end: a write that was lost and written again, or a stale read on the way',
      'duplicates, and the order of elements',
      'replicas that differ where each of the values could be the last one written',
      'orders that only reads or compare-and-set exclude: overlapping writes may each be the last',
    ],
    ...(final === null ? {} : { collect: (context) => readFinals(context, final) }),
    judge: (input) => (final === null ? judgeRecorded(input, rules) : judgeLive(input, rules)),
  })
}
