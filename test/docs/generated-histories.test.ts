import { expect, it } from 'vitest'
import * as histories from '../../src/generators/index.js'
import { textOf } from '../repo/sources.js'
import { blocksOf } from './blocks.js'
import { DocumentProject } from './project.js'

const document = 'docs/checkers.md'

it('the README and the guide name what makes histories', () => {
  for (const name of Object.keys(histories)) {
    expect(textOf('README.md')).toContain(`\`${name}()\``)
    expect(textOf(document)).toContain(`\`${name}(model, shape)\``)
  }
})

it('the example of a test of a checker passes', { timeout: 180_000 }, async () => {
  const project = await DocumentProject.create()
  const tests = blocksOf(document).filter(({ flags }) => flags.includes('test'))
  expect(tests.length).toBeGreaterThan(0)
  for (const block of tests) await project.add(block)
  const { code, output } = await project.vitest()
  expect(code, output).toBe(0)
  expect(output).toContain('40 passed')
})
