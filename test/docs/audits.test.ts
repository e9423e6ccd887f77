import { expect, it } from 'vitest'
import { auditChecks } from '../../src/verdict/audits/catalog.js'
import { textOf } from '../repo/sources.js'

/** The rows of the table of checks, each as the text of its cells. */
function rows(): readonly (readonly string[])[] {
  const [, after = ''] = textOf('docs/verdicts.md').split('\n## Checks before a pass\n')
  const [section = ''] = after.split('\n## ')
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
}

const codeIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1])

it('every check before a pass is told in order, with what it blocks and what a pass becomes', () => {
  const told = rows().map(([name, , , blocks, downgrade]) => ({
    name: codeIn(name)[0],
    blocks: codeIn(blocks)[0],
    downgrade: codeIn(downgrade)[0],
  }))
  expect(told).toEqual(auditChecks.map(({ name, blocks, downgrade }) => ({ name, blocks, downgrade })))
})

it('every row says to what it applies and when it is met', () => {
  expect(rows().filter((cells) => cells.length !== 5 || cells.some((cell) => cell === ''))).toEqual([])
})
