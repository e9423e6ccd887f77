import { readFile } from 'node:fs/promises'
import { messageOf, PlanError } from '../errors.js'
import { parsePlan } from './parse/parse.js'
import type { Plan } from './plan.js'

const mostBytes = 4 * 1024 * 1024

/** Reads a plan document. Throws PlanError when there is no such file, or when it is not a text. */
export async function readPlan(file: string): Promise<{ readonly plan: Plan; readonly source: string }> {
  const hint = 'name a Markdown document such as docs/testing-plans/orders.md; `nemesis plan new` makes one'
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    throw new PlanError('plan-unreadable', file, undefined, messageOf(error), hint)
  }
  if (bytes.length > mostBytes || bytes.includes(0)) {
    const what = bytes.includes(0) ? 'it is a binary file' : `it has ${bytes.length} bytes`
    throw new PlanError('plan-not-text', file, undefined, `${what}, not a plan`, hint)
  }
  const source = bytes.toString('utf8')
  return { plan: parsePlan(source, file), source }
}
