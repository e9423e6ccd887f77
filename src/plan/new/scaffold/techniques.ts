import { techniques } from '../../../catalog/techniques/index.js'
import { ids, type Outline } from './outline.js'
import { open, table } from './text.js'

/** Section 6: a technique for each category of claims, as the catalog has it. */
export function techniquesSection({ scenarios }: Outline): string {
  const used = [...new Set(scenarios.map(({ technique }) => technique))]
  const rows = used.map((id) => {
    const { findsWell, title, cost } = techniques[id]
    const hypotheses = scenarios
      .filter(({ technique }) => technique === id)
      .flatMap((scenario) => scenario.hypotheses)
    return [
      id,
      ids([...new Set(hypotheses)]),
      findsWell[0] ?? '',
      `${title}, \`nemesis catalog ${id}\``,
      cost,
    ]
  })
  return [
    table(['Technique', 'Hypotheses', 'What it catches', 'Reference', 'Cost'], rows),
    open('confirm the choice: what each catches here that the others miss'),
  ].join('\n\n')
}
