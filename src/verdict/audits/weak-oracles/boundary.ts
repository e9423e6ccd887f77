import { judged, notApplicable, type AuditCheck, type Audited } from '../check.js'
import { categoriesOf, distinct } from '../recorded.js'

const noBoundary = 'no claim is about a boundary'

/** A claim about a boundary is tested on more than one surface: the scenario is an arm beside others. */
export const notASingleSurface: AuditCheck = {
  name: 'not-a-single-surface',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-surface',
  evaluate(audited) {
    if (!isBoundary(audited)) return notApplicable(noBoundary)
    const arms = audited.record.boundary?.arms ?? []
    const surfaces = distinct(arms.flatMap((arm) => arm.surfaces))
    const problems =
      surfaces.length < 2
        ? [`a single surface: ${surfaces.join(', ') || 'none is declared'}; declare the others as \`arms\``]
        : []
    return judged(
      problems,
      arms.map(({ name, surfaces: own }) => `arm ${name}: ${own.join(', ')}`),
    )
  },
}

/** In every run of a claim about a boundary something was refused that must be, and all controls held. */
export const notPositiveControlsOnly: AuditCheck = {
  name: 'not-positive-controls-only',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-surface',
  evaluate(audited) {
    if (!isBoundary(audited)) return notApplicable(noBoundary)
    const problems = audited.runs.flatMap(({ name, controls }) => [
      ...(controls.some(({ kind }) => kind === 'negative')
        ? []
        : [`${name}: no negative control: nothing was tried that must be refused`]),
      ...controls
        .filter(({ held }) => !held)
        .map((control) => `${name}: ${control.kind} control ${control.name} did not hold: ${control.detail}`),
    ])
    const evidence = audited.runs.map(({ name, controls }) => {
      const held = (kind: 'positive' | 'negative') =>
        controls.filter((control) => control.kind === kind && control.held).length
      return `${name}: ${held('positive')} positive and ${held('negative')} negative controls held`
    })
    return judged(problems, evidence)
  },
}

function isBoundary({ record }: Audited): boolean {
  return categoriesOf(record).includes('boundary')
}
