import { categoryOf, type ClaimProposal } from './proposal.js'

/** Names of errors by which a system refuses to break a promise. */
const refusing =
  /NotLeader|NoLeader|LeaderChange|NoQuorum|QuorumLost|Stale|Epoch|Fenc|Lease(?:Expired|NotFound|Lost)|Lock(?:Lost|Expired|Held)|WriteConflict|Duplicate|AlreadyCommitted|Compacted|OutOfOrder|Sequence|Corrupt|Checksum|CRC|Deadlock|NotEnoughReplicas|ProposalDropped|Inconsisten/
/** Names that may mean that, or something else. */
const doubtful =
  /Conflict|Lease|Mismatch|ReadOnly|Unavailable|Timeout|Aborted|Throttled|Quota|RateLimit|Redirect|Term(?!inal)/

interface Definition {
  readonly files: RegExp
  /** The first group is the name. */
  readonly pattern: RegExp
}

const definitions: readonly Definition[] = [
  { files: /\.go$/, pattern: /^[ \t]*(?:var[ \t]+)?(Err[A-Z]\w*)[ \t]*=[^\n]*/gm },
  {
    files: /\.[cm]?[jt]sx?$/,
    pattern: /^[ \t]*(?:export[ \t]+)?class[ \t]+(\w+)[ \t]+extends[ \t]+\w*Error\b[^\n]*/gm,
  },
  { files: /\.py$/, pattern: /^class[ \t]+(\w+)\([^)\n]*(?:Error|Exception)[^)\n]*\)[^\n]*/gm },
  {
    files: /\.(?:java|kt)$/,
    pattern: /^[^\n/*]*\bclass[ \t]+(\w+)\b[^\n]*(?:extends|:)[ \t]*\w*Exception\b[^\n]*/gm,
  },
]

const rustEnum = /\benum[ \t]+\w*Error\w*[^{]*\{/g
const variant = /^[ \t]*([A-Z]\w*)[^\n]*/gm

/** Definitions of errors whose names may tell of a promise, such as `NotLeader`; the quote is the line that defines one. */
export function tellingErrorsIn(file: string, text: string): ClaimProposal[] {
  if (/(?:_test\.go|\.(?:test|spec)\.\w+)$|(?:^|\/)(?:tests?|__tests__|testdata|fixtures)\//.test(file))
    return []
  const matches = file.endsWith('.rs')
    ? rustVariants(text)
    : definitions
        .filter(({ files }) => files.test(file))
        .flatMap(({ pattern }) =>
          [...text.matchAll(pattern)].map((match) => ({
            name: match[1] ?? '',
            index: match.index,
            line: match[0],
          })),
        )
  return matches
    .filter(({ name }) => refusing.test(name) || doubtful.test(name))
    .map(({ name, index, line }) => ({
      from: 'error type',
      quote: line
        .trim()
        .replace(/[{,;]\s*$/, '')
        .trim(),
      category: categoryOf(words(line)),
      file,
      line: text.slice(0, index).split('\n').length,
      telling: refusing.test(name),
    }))
}

function rustVariants(text: string) {
  return [...text.matchAll(rustEnum)].flatMap((match) => {
    const start = match.index + match[0].length
    const body = text.slice(start, endOfBlock(text, start))
    return [...body.matchAll(variant)].map((found) => ({
      name: found[1] ?? '',
      index: start + found.index,
      line: found[0],
    }))
  })
}

function endOfBlock(text: string, start: number): number {
  let depth = 1
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}

/** `ErrNotLeader` as words, so that it may be read like a sentence. */
function words(line: string): string {
  return line.replaceAll(/([a-z])([A-Z])/g, '$1 $2')
}
