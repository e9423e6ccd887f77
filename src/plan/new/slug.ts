import { PlanError } from '../../errors.js'

const allowed = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/

/** The path of the plan of a slug, relative to the root of its project. Throws PlanError for what is no slug. */
export function planPathOf(slug: string): string {
  if (!allowed.test(slug)) {
    const hint = 'use lower case letters, digits and dashes, at most 60, such as orders or order-export'
    throw new PlanError('slug', slug, undefined, 'this cannot name a plan', hint)
  }
  return `docs/testing-plans/${slug}.md`
}
