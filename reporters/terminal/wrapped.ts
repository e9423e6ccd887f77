import { stripVTControlCharacters } from 'node:util'

const indent = ' '.repeat('nemesis  '.length)

/** Room for a few words beside the indent: a narrower window gets lines as they are. */
const narrowest = 40

/**
 * A line for a terminal of so many columns: broken between words, what follows indented below the verdict. A word that is
 * longer, such as a path, stays whole. Anything but a terminal gets one line, which tools can search.
 */
export function wrapped(
  line: string,
  { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>,
): string {
  if (!isTTY || columns < narrowest) return line
  const rows: string[] = []
  let row = ''
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    if (row.trim() !== '' && width(row) + width(word.trimEnd()) > columns) {
      rows.push(row.trimEnd())
      row = indent
    }
    row += word
  }
  return [...rows, row].join('\n')
}

function width(text: string): number {
  return stripVTControlCharacters(text).length
}
