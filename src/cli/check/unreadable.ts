import { HistoryError, messageOf, NemesisError } from '../../errors.js'
import { ModelOperationError } from '../../models/operation-error.js'

/** One line on why a file cannot be judged, or null when the error is of another kind. */
export function unreadableLine(file: string, error: unknown): string | null {
  if (error instanceof HistoryError) return inOneLine(error)
  if (error instanceof ModelOperationError) return `${file}: ${inOneLine(error)}`
  return null
}

function inOneLine(error: unknown): string {
  const text = error instanceof NemesisError ? error.message : messageOf(error)
  return text.replaceAll(/\s*\n\s*/g, ' ')
}
