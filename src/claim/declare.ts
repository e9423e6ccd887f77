import { DeclarationError } from '../errors.js'
import { claimSchema, type Category, type Claim } from './claim.js'
import { problemsOf } from '../problems.js'

export interface ClaimOptions {
  readonly categories: readonly Category[]
  /** Where the promise stands: a file, file and line, or a URL. */
  readonly source?: string
  /** True for a promise that the code relies on although no document makes it. */
  readonly inferred?: boolean
  /** True for a promise about every size of the system that keeps a quorum: it takes two sizes to support it. */
  readonly anySize?: boolean
}

/**
 * Declares what the system promises: `claim('C1', 'An acknowledged write is never lost', { categories: ['durability'] })`.
 * Throws DeclarationError that names each field which is wrong.
 */
export function claim(id: string, text: string, options: ClaimOptions): Claim {
  const parsed = claimSchema.safeParse({
    id,
    text,
    categories: options?.categories,
    source: options?.source ?? null,
    inferred: options?.inferred ?? false,
    anySize: options?.anySize ?? false,
  })
  if (parsed.success) return parsed.data
  throw new DeclarationError('claim', `claim('${id}'): ${problemsOf(parsed.error)}`, {
    hint: "write claim('C1', 'what the system promises', { categories: ['safety'], source: 'docs/…' })",
  })
}
