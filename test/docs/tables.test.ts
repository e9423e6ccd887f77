import { describe, expect, it } from 'vitest'
import * as checkers from '../../src/checkers/index.js'
import * as models from '../../src/models/index.js'
import { faults } from '../../src/nemesis/faults/index.js'
import { toFill } from '../../src/plan/lint/lint.js'
import { rules } from '../../src/plan/lint/rules.js'
import { sessionVerdicts } from '../../src/verdict/session.js'
import { verdicts } from '../../src/verdict/verdict.js'
import { textOf } from '../repo/sources.js'

/** The rows of the table below a heading, each as the text of its cells. */
function table(document: string, heading: string): readonly (readonly string[])[] {
  const [, after] = `\n${textOf(document)}`.split(`\n${heading}\n`)
  if (after === undefined) throw new Error(`${document} has no heading ${heading}`)
  const [section = ''] = after.split(/\n#+ /)
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  )
}

const codeIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
const firstCodes = (rows: readonly (readonly string[])[]) => rows.map(([first]) => codeIn(first)[0] ?? '')
const nameOf = (call: string) => call.replace(/\(.*$/, '')
const sorted = (names: readonly string[]) => names.toSorted()

/** What the package exports besides what makes a checker or a model. */
const noFactories = [
  'checkersFor',
  'OnlineRegister',
  'model',
  'modelNamed',
  'modelNames',
  'ModelOperationError',
]
const factoriesOf = (module: object) => Object.keys(module).filter((name) => !noFactories.includes(name))

const there = Object.fromEntries(
  table('README.md', '## What there is').map(([kind = '', what]) => [
    /\w+/.exec(kind)?.[0] ?? '',
    codeIn(what),
  ]),
)

describe('tables of what there is', () => {
  it('list the faults', () => {
    expect(sorted(firstCodes(table('docs/faults.md', '# Faults')))).toEqual(sorted(Object.keys(faults)))
    expect(sorted(there['Faults'] ?? [])).toEqual(sorted([...Object.keys(faults), 'nemesis.define()']))
  })

  it('list the rules of plans, with what each asks', () => {
    const rows = table('docs/plans.md', '## Rules').map(([code, asks]) => [codeIn(code)[0], asks])
    expect(rows.slice(0, -1)).toEqual(rules.map(({ code, asks }) => [code, asks]))
    expect(rows.at(-1)?.[0]).toBe(toFill)
  })

  it('describe the options of each fault', () => {
    for (const [name = '', options = ''] of table('docs/faults.md', '# Faults')) {
      const fault = codeIn(name)[0] as keyof typeof faults
      const known = Object.keys((faults[fault].options as unknown as { shape: object }).shape)
      expect(sorted(codeIn(options)), fault).toEqual(sorted(known))
    }
  })

  it('list the checkers', () => {
    const documented = firstCodes(table('docs/checkers.md', '# Checkers and models')).map(nameOf)
    expect(sorted(documented)).toEqual(sorted(factoriesOf(checkers)))
    expect(sorted((there['Checkers'] ?? []).map(nameOf))).toEqual(sorted(factoriesOf(checkers)))
  })

  it('list the models, with the names that the command knows', () => {
    const rows = table('docs/checkers.md', '## Models')
    expect(sorted(firstCodes(rows).map(nameOf))).toEqual(sorted(factoriesOf(models)))
    expect(sorted(rows.map(([, name]) => codeIn(name)[0] ?? ''))).toEqual(sorted(models.modelNames))
    expect(sorted((there['Models'] ?? []).map(nameOf))).toEqual(sorted([...factoriesOf(models), 'model']))
  })

  it('list the verdicts', () => {
    expect(sorted(firstCodes(table('README.md', '## Ten verdicts')))).toEqual(sorted(verdicts))
    const decided = table('docs/verdicts.md', '# Verdicts').flatMap(([, , verdict]) => codeIn(verdict))
    expect(sorted([...new Set(decided)])).toEqual(sorted(verdicts))
    expect(sorted(firstCodes(table('docs/verdicts.md', '## The session')))).toEqual(sorted(sessionVerdicts))
  })
})
