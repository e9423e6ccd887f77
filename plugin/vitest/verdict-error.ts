import type { CallSite } from './call-site.js'

/** Base of the errors that fail a scenario's test. They point at the declaration in the user's file. */
class VerdictError extends Error {
  constructor(message: string, site: CallSite | null) {
    super(message)
    this.name = new.target.name
    this.stack = `${this.name}: ${message}${site === null ? '' : `\n${site.frame}`}`
  }
}

/** The claim was falsified. */
export class ViolationError extends VerdictError {}

/** A scenario that is pinned to a known-bad version does not find its violation any more. */
export class RegressionError extends VerdictError {}

/** Under `gate: 'strict'`: nothing was falsified, but nothing was shown either. */
export class InconclusiveError extends VerdictError {}
