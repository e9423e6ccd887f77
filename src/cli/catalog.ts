import { Argument, Command } from 'commander'
import pc from 'picocolors'
import { catalog } from '../checkers/catalog.js'
import { choices } from '../checkers/picker.js'

/** `nemesis catalog [TOPIC]`: what the method offers, as text or data. */
export function catalogCommand(): Command {
  return new Command('catalog')
    .description('which checker falsifies which claim, and what each cannot detect')
    .addArgument(new Argument('[topic]', 'what to list').choices(['checkers']).default('checkers'))
    .option('--json', 'print it as JSON')
    .action((_topic: string, { json }: { json?: true }) => {
      const checkers = catalog.map(described)
      const text = json === true ? JSON.stringify({ picker: choices, checkers }, null, 2) : inWords(checkers)
      process.stdout.write(`${text}\n`)
    })
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

function inWords(checkers: readonly Described[]): string {
  return [
    pc.bold('Picker: models; category of the claim -> checkers, the best first'),
    ...choices.flatMap(({ models, checkers: fitting }) => [
      `  ${models === 'any' ? 'any model' : models.join(', ')}`,
      ...Object.entries(fitting).map(([category, names]) => `    ${category} -> ${names.join(', ')}`),
    ]),
    '',
    pc.bold('Checkers'),
    ...checkers.flatMap(wordsOf),
  ].join('\n')
}

function wordsOf({ name, factory, pattern, recordedHistories, needs, cannotDetect }: Described): string[] {
  const from = recordedHistories ? 'also of recorded histories' : 'in a scenario'
  return [
    `  ${pc.bold(name)}  ${factory}(), oracle pattern ${pattern}, ${from}`,
    ...(needs.length === 0 ? [] : [`    needs ${needs.join(', ')}`]),
    ...cannotDetect.map((what) => `    cannot detect ${what}`),
  ]
}
