import { AnomalyList, allOf } from '../anomaly-list.js'
import type { Checker } from '../checker.js'
import { defineChecker } from '../define.js'
import { balanceOf } from './accounts.js'
import { shownAccounts } from './shown-accounts.js'
import { unexpectedAnomaly } from './strays.js'

/**
 * Nothing comes out of a queue, or stands in a log, that no operation is known to have put in by then: a failed one did
 * not, one of unknown outcome may have. See `queueTraffic` and `logHistory` for the operations that it reads.
 */
export function noUnexpected(): Checker {
  return defineChecker({
    name: 'no-unexpected',
    pattern: 10,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope: [
      'losses, order and duplicates',
      'an element of a failed operation when an equal one was put in by another',
    ],
    judge(input) {
      const { parts, delivered, count } = shownAccounts(input)
      const unexpected = new AnomalyList()
      for (const { accounts, failedPuts } of parts) {
        for (const account of accounts.values()) {
          for (const stray of balanceOf(account).unexpected) {
            unexpected.add(() => unexpectedAnomaly(stray, { account, failedPuts }))
          }
        }
      }
      return {
        consumed: delivered === 0 ? 0 : count,
        ...allOf([unexpected]),
        evidence: { delivered, unexpected: unexpected.count },
      }
    },
  })
}
