import { FaultError, messageOf } from '../../../errors.js'
import { becomes } from '../../../time/wait.js'
import type { ClusterHook } from './hook.js'
import type { Hooks, Purpose } from './hooks.js'

/** How long the member list may take to be as large as before after a change was taken back. */
const backWithinMs = 20_000

/** The members of the cluster, as the system itself lists them: names or ids. */
export type MembersHook = ClusterHook<readonly (string | number)[]>

/** Asks the system for its members, in an order of their own. Throws FaultError when the answer is no list of names. */
export async function membersNow(
  hooks: Hooks,
  { call, purpose }: { call: MembersHook; purpose: Purpose },
): Promise<readonly string[]> {
  const answer: unknown = await hooks.onCluster({ name: 'members', call }, purpose)
  const isName = (one: unknown) => typeof one === 'string' || typeof one === 'number'
  if (Array.isArray(answer) && answer.every(isName)) return answer.map(String).toSorted()
  throw new FaultError('hook', `reconfiguration: members() answered ${JSON.stringify(answer)}`, {
    hint: 'return a list of names or ids of members',
  })
}

/** `3: n1, n2, n3` */
export function membersInWords(members: readonly string[]): string {
  return `${members.length}: ${members.join(', ')}`
}

/** Waits until there are so many members again. Throws FaultError when there are not in time. */
export async function untilMembers(
  read: () => Promise<readonly string[]>,
  count: number,
): Promise<readonly string[]> {
  let members: readonly string[] = []
  let trouble = ''
  const back = await becomes(
    async () => {
      try {
        members = await read()
        trouble = `there are ${membersInWords(members)}`
      } catch (error) {
        // A member that has just been taken out or put in may refuse to answer for a while.
        trouble = messageOf(error)
        return false
      }
      return members.length === count
    },
    { withinMs: backWithinMs, everyMs: 100 },
  )
  if (back) return members
  throw new FaultError('heal', `the cluster does not have ${count} members again: ${trouble}`, {
    hint: 'the hook that takes the change back must leave as many members as before',
  })
}
