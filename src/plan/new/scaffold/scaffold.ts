import { sectionIds, sectionTitles, type SectionId } from '../../sections.js'
import type { Findings } from '../findings.js'
import { claimsSection } from './claims.js'
import { environmentSection } from './environment.js'
import { coverageSection, hypothesesSection } from './hypotheses.js'
import { inventorySection } from './inventory.js'
import { ids, outlineOf } from './outline.js'
import { scenariosSection } from './scenarios.js'
import { scopeSection } from './scope.js'
import { techniquesSection } from './techniques.js'
import { bullets, open, table } from './text.js'

/**
 * The document of a new plan. What was found in the repository is quoted with its place; what only a person can know is a
 * place to fill. It breaks no rule of `nemesis plan check` but for those places.
 */
export function scaffold(slug: string, findings: Findings): string {
  const outline = outlineOf(findings)
  const { scope } = findings
  const sections: Readonly<Record<SectionId, string>> = {
    '0': open('what a reviewer must know of the architecture to read on, in at most 30 lines'),
    '1': scopeSection(findings),
    '1b': claimsSection(outline),
    '1c': open('behaviour that the code relies on and no claim covers, or `None.`'),
    '2': model(),
    '3': inventorySection(findings),
    '4': hypothesesSection(outline, findings),
    '5': coverageSection(outline, findings),
    '6': techniquesSection(outline),
    '6b': environmentSection(outline, findings),
    '7': scenariosSection(outline.scenarios, slug),
    '7b': table(
      ['Claim', 'Threats', 'Scenarios', 'Why sufficient'],
      outline.claims.map((claim) => [
        claim.id,
        ids(outline.hypotheses.filter(({ claims }) => claims.includes(claim))),
        ids(outline.scenarios.filter(({ claims }) => claims.includes(claim))),
        open('why these scenarios are enough'),
      ]),
    ),
    '7c': table(
      ['What', 'Why uncovered', 'Why acceptable', 'Revisit when'],
      [
        [
          open('what stays uncertain'),
          open('why'),
          open('why that can be lived with'),
          open('when to look again'),
        ],
      ],
    ),
    '7d': open(
      'what will not have been observed under the tested threats if every scenario passes, and every untested surface',
    ),
    '8': open('what this plan leaves out'),
    '9': open('what nobody could answer yet, or `None.`'),
  }
  const header = bullets([
    `**Mode:** ${scope === null ? 'project-wide' : 'change-scoped'}`,
    ...(scope === null ? [] : [`**Change:** ${scope.change.label}`]),
    `**Slug:** ${slug}`,
  ])
  const parts = sectionIds.flatMap((id) => [`## ${id}. ${sectionTitles[id]}`, sections[id]])
  return `${[`# Testing plan: ${slug}`, header, ...parts].join('\n\n')}\n`
}

function model(): string {
  return bullets(
    [
      ['Tenancy', 'who shares what'],
      ['Persistence', 'what is stored where, and when it is synced'],
      ['Replication', 'who holds copies, and who decides'],
      ['Ordering', 'what is ordered by what'],
      ['Network boundaries', 'who talks to whom'],
      ['Retry and idempotency contract', 'what a client may repeat'],
      ['Observability', 'what can be seen of it while it runs'],
    ].map(([label, what]) => `**${label}:** ${open(what ?? '')}`),
  )
}
