import { judged, notApplicable, type AuditCheck, type Audited } from '../check.js'
import { categoriesOf } from '../recorded.js'

const noBoundary = 'no claim is about a boundary'

/** A claim about a boundary was tested on more than one surface: the scenario is one of several arms. */
export const notASingleSurface: AuditCheck = {
  name: 'not-a-single-surface',
  blocks: 'PASS-hardening',
  downgrade: 'PARTIAL-surface',
  evaluate(audited) {
    if (!isBoundary(audited)) return notApplicable(noBoundary)
    const { arm, name } = audited.record
    return arm === null
      ? judged([`${name} is one surface: declare the others as \`arms\``], [])
      : judged([], [`${arm.id} is one arm of ${arm.of}; its other surfaces are arms of their own`])
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
