import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plan } from '../plan.js'
import { isWithin } from '../project-root.js'
import type { DeclaredClaim, Tests } from './drift.js'

/** Reads the target files of a plan. Claims are those that stand there as literals. */
export function testsOf(plan: Plan, root: string): Tests {
  const targets = [...new Set(plan.scenarios.flatMap(({ target }) => target?.text ?? []))]
  const sources = new Map(targets.map((target) => [target, sourceOf(root, target)]))
  const claims = [...sources.values()].flatMap((source) => (source === null ? [] : claimsIn(source)))
  return { sources, declared: new Set(), claims }
}

function sourceOf(root: string, target: string): string | null {
  const file = path.resolve(root, target)
  return isWithin(root, target) && existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** A text that is put together of several is none that can be read. */
const claimCall = /\bclaim\(\s*(['"`])([\w.-]+)\1\s*,\s*(['"`])((?:\\[\s\S]|(?!\3)[^\\])*)\3\s*[,)]/g

function claimsIn(source: string): DeclaredClaim[] {
  return [...source.matchAll(claimCall)]
    .filter(([, , , quote, text = '']) => quote !== '`' || !text.includes('${'))
    .map(([, , id = '', , text = '']) => ({ id, text: text.replaceAll(/\\(['"`\\])/g, '$1') }))
}
