import type { z } from 'zod'

/**
 * What is wrong with a value that a user has written, by the path of each wrong part:
 * `falsify is not an option; budget.smoke.duration: expected a duration such as '5s'`.
 */
export function problemsOf({ issues }: z.ZodError): string {
  return issues.flatMap(problem).join('; ')
}

function problem(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${pathOf([...issue.path, key])} is not an option`)
  }
  const { path, message } = issue
  const place = pathOf(path)
  const wanted = /^Invalid input: expected (.*), received (.*)$/.exec(message)
  if (wanted === null) return [place === '' ? message : `${place}: ${message}`]
  const [, expected, received] = wanted
  if (received === 'undefined' && place !== '') return [`${place} is missing: expected ${expected}`]
  return [`${place === '' ? '' : `${place}: `}expected ${expected}, got ${received}`]
}

/** `budget.smoke`, `nemesis[2].at` */
function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, part) => {
    if (typeof part === 'number') return `${place}[${part}]`
    return place === '' ? String(part) : `${place}.${String(part)}`
  }, '')
}
