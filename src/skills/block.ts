import type { Scope } from './agents.js'
import { skillNames } from './shipped.js'

/**
 * The block that points to the skills in a file that belongs to somebody else. Everything around it stays as it is, to the
 * byte: texts here are bytes, one a character (latin1), so that nothing is lost in files of any encoding.
 */
const begin = '<!-- vitest-nemesis:skills begin -->'
const end = '<!-- vitest-nemesis:skills end -->'

/** The lines of the block, in ASCII; `skills` is the folder that the skills are in, relative to home or project. */
function linesFor(scope: Scope, skills: string): readonly string[] {
  const folder = scope === 'home' ? `~/${skills}` : skills
  const [design, execute] = skillNames
  return [
    begin,
    '## Tests of distributed systems',
    '',
    'Two skills of vitest-nemesis say how they are made. Read the one that fits to its end before you begin:',
    '',
    `- to design, review or extend a test plan of a distributed or stateful system: \`${folder}/${design}/SKILL.md\``,
    `- to execute such a plan, and to replay, reduce or report what it found: \`${folder}/${execute}/SKILL.md\``,
    end,
  ]
}

/** True when the block, of whatever version, is in a text. */
export function hasBlock(text: string): boolean {
  return text.includes(begin) || text.includes(end)
}

/** The text with the block at its end, and exactly what was added. */
export function withBlock(
  text: string,
  { scope, skills }: { readonly scope: Scope; readonly skills: string },
): { readonly text: string; readonly inserted: string } {
  const lineEnd = lineEndOf(text)
  const inserted = `${gapAfter(text, lineEnd)}${linesFor(scope, skills).join(lineEnd)}${lineEnd}`
  return { text: text + inserted, inserted }
}

/** The text with what was inserted replaced by the block of now; null when it is not there as it was inserted. */
export function withNewBlock(
  text: string,
  inserted: string,
  { scope, skills }: { readonly scope: Scope; readonly skills: string },
): { readonly text: string; readonly inserted: string } | null {
  const at = text.lastIndexOf(inserted)
  if (at < 0) return null
  const lineEnd = lineEndOf(inserted)
  const gap = inserted.slice(0, inserted.indexOf(begin))
  const fresh = `${gap}${linesFor(scope, skills).join(lineEnd)}${lineEnd}`
  return { text: text.slice(0, at) + fresh + text.slice(at + inserted.length), inserted: fresh }
}

/** The text as it was before; null when what was inserted is not there as it was. Text that came after it stays. */
export function withoutBlock(text: string, inserted: string): string | null {
  const at = text.lastIndexOf(inserted)
  if (at < 0) return null
  const before = text.slice(0, at)
  const after = text.slice(at + inserted.length)
  // What somebody wrote below the block must not become a part of the last line above it.
  const seam = before !== '' && after !== '' && !before.endsWith('\n') ? lineEndOf(inserted) : ''
  return before + seam + after
}

function lineEndOf(text: string): string {
  return /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n'
}

function gapAfter(text: string, lineEnd: string): string {
  if (text === '' || text.endsWith(lineEnd + lineEnd)) return ''
  return text.endsWith('\n') ? lineEnd : lineEnd + lineEnd
}
