import type { RootContent } from 'mdast'
import type { SectionPart } from '../markdown/parts.js'
import { locatedText } from '../markdown/read.js'
import { referencesIn } from '../markdown/references.js'
import { columnReader, tablesIn, tableWith } from '../markdown/tables.js'
import type { Hypothesis } from '../plan.js'

/**
 * Section 4: hypotheses as a table, `| ID | Hypothesis | Claims | Category |`, as items of a list,
 * `- H1 (C1, C2): …`, or both.
 */
export function parseHypotheses(part: SectionPart | undefined): Hypothesis[] {
  if (part === undefined) return []
  return [...fromTable(part), ...part.blocks.flatMap(fromList)]
}

/** A row without an id that says N/A is about a failure that there cannot be: it is no hypothesis. */
const notApplicable = /\bn\/a\b|\bnot applicable\b/i

function fromTable(part: SectionPart): Hypothesis[] {
  const table = tableWith(tablesIn(part.blocks), 'id', 'hypothes')
  if (table === null) return []
  const read = columnReader(table)
  return table.rows
    .map((row) => ({
      at: row.at,
      id: read(row, 'id')?.text ?? '',
      text: read(row, 'hypothes')?.text ?? '',
      claims: referencesIn(read(row, 'claim')),
      category: read(row, 'categor', 'failure mode', 'mode', 'covers'),
    }))
    .filter(
      ({ id, text }) => /\w/.test(id.replace(notApplicable, '')) || !notApplicable.test(`${id} ${text}`),
    )
}

const item = /^(H\d+[a-z]?)\b\s*(?:\(([^)]*)\))?\s*[:.–—-]?\s*(.*)$/s

function fromList(block: RootContent): Hypothesis[] {
  if (block.type !== 'list') return []
  return block.children.flatMap((entry) => {
    const located = locatedText(entry)
    const match = located === null ? null : item.exec(located.text)
    if (located === null || match === null) return []
    const [, id = '', claims = '', text = ''] = match
    return { at: located.at, id, text, claims: referencesIn({ ...located, text: claims }), category: null }
  })
}
