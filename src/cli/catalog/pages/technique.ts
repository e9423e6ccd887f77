import type { Technique } from '../../../catalog/technique.js'
import { heading, list, paragraph, type Block } from '../../../findings/render/markdown.js'
import { capital, items, link, prose } from '../words.js'

/** The page of a technique, the same parts for each. */
export function techniquePage(technique: Technique): readonly Block[] {
  const { title, summary, when, findsWell, misses, here, tools, papers, cost, checklist } = technique
  return [
    heading(1, title),
    paragraph(prose(summary)),
    heading(2, 'When to use it'),
    items(when),
    heading(2, 'What it finds well'),
    items(findsWell),
    heading(2, 'What it misses'),
    items(misses),
    heading(2, 'With this package'),
    paragraph(prose(here)),
    heading(2, 'Cost'),
    paragraph(`${capital(cost)}.`),
    heading(2, 'What a plan must say'),
    items(checklist),
    heading(2, 'Tools'),
    list(tools.map(({ name, url, what }) => [link(url, name), `: ${what}`])),
    heading(2, 'Papers'),
    list(
      papers.map((paper) => [
        `${paper.authors}: `,
        link(paper.url, paper.title),
        `. ${paper.venue}, ${paper.year}`,
      ]),
    ),
  ]
}
