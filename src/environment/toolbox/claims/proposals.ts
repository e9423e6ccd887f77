import { tellingErrorsIn } from './error-types.js'
import type { ClaimProposal } from './proposal.js'
import { mayPromise, promisesIn } from './sentences.js'

/**
 * What in documents and error types looks like a promise, each quote once. Documents come first, those with telling words
 * before others, and one of each file before a second one of any. Nothing is made up.
 */
export function claimProposals(texts: ReadonlyMap<string, string>): ClaimProposal[] {
  const files = [...texts]
  const promises = files.flatMap(([file, text]) => (mayPromise(file) ? promisesIn(file, text) : []))
  const errors = files.flatMap(([file, text]) => (mayPromise(file) ? [] : tellingErrorsIn(file, text)))
  const ordered = [
    ...inTurns(promises.filter(({ telling }) => telling)),
    ...inTurns(promises.filter(({ telling }) => !telling)),
    ...inTurns(errors.filter(({ telling }) => telling)),
    ...inTurns(errors.filter(({ telling }) => !telling)),
  ]
  const seen = new Set<string>()
  return ordered.filter(({ quote }) => !seen.has(quote) && seen.add(quote))
}

function inTurns(proposals: readonly ClaimProposal[]): ClaimProposal[] {
  const turns = new Map<string, number>()
  return proposals
    .map((proposal) => {
      const turn = turns.get(proposal.file) ?? 0
      turns.set(proposal.file, turn + 1)
      return { proposal, turn }
    })
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ proposal }) => proposal)
}
