import pc from 'picocolors'
import { catalog } from '../../checkers/catalog.js'
import { choices } from '../../checkers/picker.js'

/** The picker and every checker, as data. */
export function checkersAsData() {
  return { picker, checkers: catalog.map(described) }
}

const names = new Set(catalog.map(({ example }) => example().name.split(':')[0]))

/** The choices among the checkers that there are. */
const picker = choices.map(({ models, checkers }) => ({
  models,
  checkers: Object.fromEntries(
    Object.entries(checkers).map(([category, fitting]) => [
      category,
      fitting.filter((name) => names.has(name)),
    ]),
  ),
}))

/** The same in words, with what each checker needs and cannot detect. */
export function checkersInWords(): string {
  return [
    pc.bold('Picker: models; category of the claim -> checkers, the best first'),
    ...picker.flatMap(({ models, checkers: fitting }) => [
      `  ${models === 'any' ? 'any model' : models.join(', ')}`,
      ...Object.entries(fitting).map(([category, some]) => `    ${category} -> ${some.join(', ')}`),
    ]),
    '',
    pc.bold('Checkers'),
    ...catalog.map(described).flatMap(wordsOf),
  ].join('\n')
}

type Described = ReturnType<typeof described>

function described({ factory, example, recorded }: (typeof catalog)[number]) {
  const { name, pattern, usesModel, needs, scope } = example()
  return {
    name,
    factory,
    pattern,
    usesModel,
    recordedHistories: recorded !== undefined,
    needs,
    cannotDetect: scope,
  }
}

function wordsOf({ name, factory, pattern, recordedHistories, needs, cannotDetect }: Described): string[] {
  const from = recordedHistories ? 'also of recorded histories' : 'in a scenario'
  return [
    `  ${pc.bold(name)}  ${factory}(), oracle pattern ${pattern}, ${from}`,
    ...(needs.length === 0 ? [] : [`    needs ${needs.join(', ')}`]),
    ...cannotDetect.map((what) => `    cannot detect ${what}`),
  ]
}
