import { AnomalyList, allOf } from '../anomaly-list.js'
import type { Checker } from '../checker.js'
import { defineChecker } from '../define.js'
import { balanceOf } from './accounts.js'
import { shownAccounts } from './shown-accounts.js'
import { duplicateAnomaly } from './strays.js'

/**
 * Nothing comes out of a queue, or stands in a log, more often than it was put in. An element of unknown outcome may
 * have been put in once. See `queueTraffic` and `logHistory` for the operations that it reads.
 */
export function noDuplicates(): Checker {
  return defineChecker({
    name: 'no-duplicates',
    pattern: 10,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope: [
      'losses, order, and elements that nobody put in',
      'an effect that was carried out twice without an element that comes out twice',
      'a copy that comes out in place of an equal element that was lost',
    ],
    judge(input) {
      const { parts, delivered, count } = shownAccounts(input)
      const duplicated = new AnomalyList()
      for (const { accounts } of parts) {
        for (const account of accounts.values()) {
          for (const copy of balanceOf(account).duplicates) {
            duplicated.add(() => duplicateAnomaly(copy, account))
          }
        }
      }
      return {
        consumed: delivered === 0 ? 0 : count,
        ...allOf([duplicated]),
        evidence: { delivered, duplicated: duplicated.count },
      }
    },
  })
}
