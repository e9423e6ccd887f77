import { jsonSchema, type Json } from '../json.js'

/** The details of a broken property as JSON; what is no JSON is shown as text, so that they never break the run. */
export function detailsOf(details: unknown): Json {
  if (details === undefined) return null
  const parsed = jsonSchema.safeParse(details)
  return parsed.success ? parsed.data : String(details)
}

/** `, with {"depth":3}`, or nothing. */
export function tellDetails(details: Json): string {
  return details === null ? '' : `, with ${JSON.stringify(details)}`
}
