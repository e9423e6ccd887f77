import { placeholder } from '../../lint/rule.js'

/** A place that a person has to fill, with what belongs there. */
export function open(what: string): string {
  return `${placeholder}: ${what}`
}

/** A table in Markdown. Cells may hold anything: what would end a cell or a row is written so that it does not. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
    .join('\n')
}

function cell(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\\?\|/g, String.raw`\|`)
    .trim()
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

/** Words quoted from a file. A backtick or a bracket in them stays what it is; HTML would not be seen. */
export function quoted(words: string): string {
  return `"${words.replaceAll('<', String.raw`\<`)}"`
}

/** The first so many, and how many more there are. */
export function shortened(items: readonly string[], most: number): string {
  const rest = items.length - most
  return rest > 0 ? `${items.slice(0, most).join(', ')} and ${rest} more` : items.join(', ')
}
