import { readFile } from 'node:fs/promises'
import { messageOf, PlanError } from '../errors.js'
import { parsePlan } from './parse/parse.js'
import type { Plan } from './plan.js'

const mostBytes = 4 * 1024 * 1024

/** Reads a plan document. Throws PlanError when there is no such file, or when it is not a text. */
export async function readPlan(file: string): Promise<{ readonly plan: Plan; readonly source: string }> {
  const source = textOf(await bytesOf(file), file)
  try {
    return { plan: parsePlan(source, file), source }
  } catch (error) {
    // A document may nest so deep that nothing can walk it.
    if (!(error instanceof RangeError)) throw error
    throw unusable(file, 'plan-not-text', 'it is nested too deep to be read')
  }
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const what = unreadable[(error as NodeJS.ErrnoException).code ?? ''] ?? messageOf(error)
    throw unusable(file, 'plan-unreadable', what)
  }
}

/** A mark at the beginning that says how the text is encoded is none of it. */
function textOf(bytes: Buffer, file: string): string {
  if (bytes.length > mostBytes) {
    throw unusable(
      file,
      'plan-not-text',
      `it has ${bytes.length} bytes, more than a plan may have (${mostBytes})`,
    )
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Not UTF-8: told below in the same words as a NUL.
  }
  throw unusable(file, 'plan-not-text', 'it is no text in UTF-8')
}

function unusable(file: string, code: string, what: string): PlanError {
  const hint = 'name a Markdown document such as docs/testing-plans/orders.md; `nemesis plan new` makes one'
  return new PlanError(code, file, undefined, what, hint)
}
