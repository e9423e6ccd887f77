/**
 * True when a path with `/` between its parts matches a pattern: `*` and `?` stand for characters of one part, `**` for
 * any number of parts, everything else for itself.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((piece) => wildcards[piece] ?? piece.replaceAll(/[\\^$.|+()[\]{}]/g, String.raw`\$&`))
    .join('')
  return new RegExp(`^${source}$`, 's').test(path)
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:[^/]+/)*',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}
