import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where undo journals are kept: `undo/` in `$NEMESIS_STATE_DIR`, else in `$XDG_STATE_HOME/vitest-nemesis`, else in
 * `~/.local/state/vitest-nemesis`. Per user and outside any project, so that `nemesis heal` finds what a run left
 * behind wherever it is called.
 */
export function undoDirectory(env: NodeJS.ProcessEnv = process.env): string {
  const own = env['NEMESIS_STATE_DIR']
  if (own) return join(own, 'undo')
  const state = env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state')
  return join(state, 'vitest-nemesis', 'undo')
}
