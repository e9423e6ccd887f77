import type { Outline, OutlinedClaim } from './outline.js'
import { bullets, open, quoted, table } from './text.js'

const mostFurther = 20

/** Section 1b: what is quoted from the repository, for a person to confirm or to take out. */
export function claimsSection({ claims, further }: Outline): string {
  const rows = claims.map(rowOf)
  const parts = [table(['ID', 'Claim', 'Category', 'Source', 'Inferred?'], rows)]
  if (further.length > 0) {
    const items = further
      .slice(0, mostFurther)
      .map(({ file, line, quote }) => `\`${file}:${line}\` ${quoted(quote)}`)
    const rest = further.length - items.length
    parts.push(
      'Further words that look like promises, not in the table:',
      bullets(items) + (rest > 0 ? `\n\nAnd ${rest} more.` : ''),
    )
  }
  return parts.join('\n\n')
}

function rowOf({ id, category, proposal }: OutlinedClaim): string[] {
  if (proposal === null) {
    const what = 'what the system promises; no document or error type was found that says so'
    return [id, open(what), category, open('where it is promised'), 'yes']
  }
  const { from, quote, file, line } = proposal
  const what =
    from === 'document'
      ? `confirm or take out, the category as well: ${quoted(quote)}`
      : `say what this error promises, or take it out: ${quoted(quote)}`
  return [id, open(what), category, `${file}:${line}`, 'yes']
}
