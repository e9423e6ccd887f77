import { pitfallsNamed } from '../../../catalog/pitfalls/index.js'
import { symptoms, type Symptom } from '../../../catalog/symptoms.js'
import { techniques } from '../../../catalog/techniques/index.js'
import {
  code,
  codeBlock,
  heading,
  joined,
  list,
  paragraph,
  table,
  type Block,
  type Content,
} from '../../../findings/render/markdown.js'
import { checkersFor } from '../found.js'
import { capital, codes, link } from '../words.js'

/** The page to begin with: techniques, and the index from symptoms to them. */
export function overviewPage(): readonly Block[] {
  return [
    heading(1, 'Catalog'),
    paragraph([
      'Ways to find what is wrong with a distributed system, and which of them fits. Plans select from them in section 6, by the ids below; ',
      link('../plans.md', 'plan check'),
      ' knows them. The command prints each page, and finds rows of the index by the words of a symptom:',
    ]),
    codeBlock(
      'sh',
      [
        'npx nemesis catalog',
        'npx nemesis catalog pitfalls',
        'npx nemesis catalog jepsen-and-elle',
        'npx nemesis catalog stale read after failover',
        'npx nemesis catalog faults --json',
      ].join('\n'),
    ),
    paragraph([
      'Topics: ',
      link('pitfalls.md', 'pitfalls'),
      ', ',
      link('oracle-patterns.md', 'oracles'),
      ', ',
      link('faults.md', 'faults'),
      ', ',
      link('../checkers.md', 'checkers'),
      ', ',
      link('boundaries.md', 'boundaries'),
      ', and each technique and pitfall by its id.',
    ]),
    ...techniquesBlocks(),
    heading(2, 'From a symptom to a technique'),
    symptomTable(symptoms),
  ]
}

/** The techniques by id, with their cost. */
export function techniquesBlocks(): readonly Block[] {
  return [
    heading(2, 'Techniques'),
    table(
      ['Id', 'Technique', 'Cost'],
      Object.values(techniques).map(({ id, title, cost }) => [
        code(id),
        link(`${id}.md`, title),
        capital(cost),
      ]),
    ),
  ]
}

function symptomTable(rows: readonly Symptom[]): Block {
  return table(
    ['Symptom', 'Techniques', 'Pitfalls', 'Checkers'],
    rows.map((row) => [
      capital(row.symptom),
      joined(
        row.techniques.map((id) => link(`${id}.md`, id)),
        ', ',
      ),
      row.pitfalls.length === 0 ? '-' : pitfallLinks(row),
      row.pitfalls.length === 0 ? '-' : codes(checkersFor(row)),
    ]),
  )
}

function pitfallLinks({ pitfalls: ids }: Symptom): Content {
  return joined(
    pitfallsNamed(ids).map(({ title, id }) => link(`pitfalls.md#${anchorOf(title)}`, id)),
    ', ',
  )
}

/** As GitHub makes it from a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Rows that were searched for, with what to do about each. */
export function foundBlocks(rows: readonly Symptom[]): readonly Block[] {
  return rows.flatMap((row) => [
    heading(3, capital(row.symptom)),
    list([
      ['techniques: ', ...joined(row.techniques, ', ')],
      ...pitfallsNamed(row.pitfalls).map(({ id, title, checkers, faults }): Content => [
        `pitfall ${id}: ${title}; checkers `,
        ...joined(checkers, ', '),
        '; faults ',
        ...joined(faults, ', '),
      ]),
    ]),
  ])
}
