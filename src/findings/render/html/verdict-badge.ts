import type { Element } from 'hast'
import { h } from 'hastscript'
import { sessionVerdicts } from '../../../verdict/session.js'
import { verdicts } from '../../../verdict/verdict.js'

const known: ReadonlySet<string> = new Set([...verdicts, ...sessionVerdicts])

/** A colour and a sign of its own for each family of verdicts: what has no colour still has the sign and the word. */
const families = [
  { family: 'fail', sign: '✖', of: /^FAIL/ },
  { family: 'pass', sign: '✔', of: /^(PASS-|DONE$)/ },
  { family: 'partial', sign: '◐', of: /^(PARTIAL-|DONE_WITH_CONCERNS$)/ },
  { family: 'inconclusive', sign: '?', of: /^INCONCLUSIVE/ },
  { family: 'none', sign: '–', of: /./ },
]

/** Whether a text is the verdict of a scenario or of a session. */
export function isVerdict(text: string): boolean {
  return known.has(text)
}

/** A verdict that is told by its word, a sign and a colour. */
export function verdictBadge(verdict: string): Element {
  const { family, sign } = families.find(({ of }) => of.test(verdict)) as (typeof families)[number]
  return h('strong.verdict', { className: [family] }, [
    h('span', { ariaHidden: 'true' }, `${sign} `),
    verdict,
  ])
}
