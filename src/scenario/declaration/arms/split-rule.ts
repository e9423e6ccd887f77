import { DeclarationError } from '../../../errors.js'
import type { ScenarioSpec } from '../../spec.js'

const mostSurfaces = 3
const mostCategories = 3
const mostOracles = 1

/**
 * Throws DeclarationError, with how to split it, for an arm with so many surfaces, categories of claims or independent
 * oracles that its verdict would say nothing definite of any.
 */
export function refuseTooMuch(
  where: string,
  arm: string,
  spec: ScenarioSpec,
  surfaces: readonly string[],
): void {
  const categories = [...new Set(spec.falsifies.flatMap((claim) => claim.categories))]
  const patterns = [...new Map(spec.checkers.map((checker) => [checker.pattern, checker.name])).values()]
  const problems: string[] = []
  const advice: string[] = []
  if (surfaces.length > mostSurfaces) {
    problems.push(`${surfaces.length} surfaces (${surfaces.join(', ')}), at most ${mostSurfaces}`)
    advice.push(`one arm for each surface or two, such as '${arm}-1' and '${arm}-2'`)
  }
  if (categories.length > mostCategories) {
    problems.push(
      `${categories.length} categories of claims (${categories.join(', ')}), at most ${mostCategories}`,
    )
    advice.push('give each arm the claims that it is about, by `falsifies`, or make two scenarios')
  }
  if (patterns.length > mostOracles) {
    problems.push(`${patterns.length} independent oracles (${patterns.join(', ')}), at most ${mostOracles}`)
    advice.push(
      `one arm for each oracle: arms: { ${patterns.map((one) => `'${arm}-${one}': { checkers: [${one}] }`).join(', ')} }`,
    )
  }
  if (problems.length === 0) return
  throw new DeclarationError('arms', `${where} covers too much for one verdict: ${problems.join('; ')}`, {
    hint: `split it: ${advice.join('; ')}`,
  })
}
