import { checkersOf } from '../../../catalog/oracle-pattern.js'
import { oraclePatterns } from '../../../catalog/oracle-patterns.js'
import { heading, paragraph, table, type Block } from '../../../findings/render/markdown.js'
import { capital, codes, link, prose } from '../words.js'

/** The fourteen patterns, each with the checkers that implement it. */
export function oraclesPage(): readonly Block[] {
  return [
    heading(1, 'Oracle patterns'),
    paragraph([
      'How a machine can decide whether a claim was kept. A plan names a checker, or a number. What each checker needs and cannot detect is on the page of ',
      link('../checkers.md', 'checkers'),
      '.',
    ]),
    table(
      ['No.', 'Pattern', 'How it decides', 'Needs', 'Says nothing about', 'Checkers'],
      oraclePatterns.map((pattern) => [
        String(pattern.number),
        pattern.title,
        prose(capital(pattern.decides)),
        prose(capital(pattern.needs)),
        prose(capital(pattern.misses)),
        codes(checkersOf(pattern).map(({ name }) => name)),
      ]),
    ),
  ]
}
