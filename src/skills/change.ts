/** One thing that was done, or was left undone for a reason. */
export interface Change {
  readonly what: 'wrote' | 'updated' | 'unchanged' | 'removed' | 'kept'
  /** Relative to home or project. */
  readonly path: string
  /** Why it was kept; null for all others. */
  readonly because: string | null
}

export function change(what: Exclude<Change['what'], 'kept'>, path: string): Change {
  return { what, path, because: null }
}

export function kept(path: string, because: string): Change {
  return { what: 'kept', path, because }
}
