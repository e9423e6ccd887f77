/** The sections of a plan document, in order. */
export const sectionIds = [
  '0',
  '1',
  '1b',
  '1c',
  '2',
  '3',
  '4',
  '5',
  '6',
  '6b',
  '7',
  '7b',
  '7c',
  '7d',
  '8',
  '9',
] as const
export type SectionId = (typeof sectionIds)[number]

export const sectionTitles: Readonly<Record<SectionId, string>> = {
  '0': 'Architectural summary',
  '1': 'Scope',
  '1b': 'Claims under test',
  '1c': 'Missing claims discovered',
  '2': 'Model of the system under test',
  '3': 'Existing test inventory',
  '4': 'Failure-mode hypotheses',
  '5': 'Coverage matrix',
  '6': 'Technique selection',
  '6b': 'Environment requirements',
  '7': 'Scenarios',
  '7b': 'Coverage adequacy argument',
  '7c': 'Residual uncertainty',
  '7d': 'Confidence statement',
  '8': 'What this plan does not cover',
  '9': 'Open questions',
}
