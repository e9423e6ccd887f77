import { describe, expect, it } from 'vitest'
import { addPlugin } from '../../src/cli/init/add-plugin.js'

const head = "import { nemesis } from 'vitest-nemesis/plugin'\n"
const imported = "import { defineConfig } from 'vitest/config'\n\n"

describe('addPlugin', () => {
  it.each([
    [
      'no plugins',
      'export default defineConfig({\n  test: { globals: true },\n})\n',
      'export default defineConfig({\n  plugins: [nemesis()],\n  test: { globals: true },\n})\n',
    ],
    [
      'an array on one line',
      'export default defineConfig({\n  plugins: [react()],\n})\n',
      'export default defineConfig({\n  plugins: [nemesis(), react()],\n})\n',
    ],
    [
      'an empty array',
      'export default defineConfig({\n\ttest: {},\n\tplugins: [],\n})\n',
      'export default defineConfig({\n\ttest: {},\n\tplugins: [nemesis()],\n})\n',
    ],
    [
      'an array on several lines',
      'export default defineConfig({\n  plugins: [\n    react(),\n  ],\n})\n',
      'export default defineConfig({\n  plugins: [\n    nemesis(),\n    react(),\n  ],\n})\n',
    ],
  ])('adds to a config with %s', (_title, before, after) => {
    expect(addPlugin(imported + before)).toEqual({ kind: 'added', text: head + imported + after })
  })

  it.each([
    ['a function', 'export default defineConfig(({ mode }) => ({\n  test: {},\n}))\n'],
    ['a value', 'const config = {}\nexport default config\n'],
    ['plugins of something else', 'export default defineConfig({\n  css: {\n    plugins: [x()],\n  },\n})\n'],
    ['plugins that are computed', 'export default defineConfig({\n  plugins: own.concat([x()]),\n})\n'],
    ['two arrays', 'export default defineConfig({\n  plugins: [],\n  css: { plugins: [] },\n})\n'],
    ['a nemesis of its own', "import nemesis from 'other'\nexport default defineConfig({\n  test: {},\n})\n"],
  ])('leaves a config with %s to its owner', (_title, text) => {
    expect(addPlugin(imported + text)).toMatchObject({
      kind: 'by-hand',
      lines: [head.trim(), 'plugins: [nemesis()],'],
    })
  })

  it('leaves CommonJS to its owner', () => {
    const text =
      "const { defineConfig } = require('vitest/config')\nmodule.exports = defineConfig({\n  test: {},\n})\n"
    expect(addPlugin(text).kind).toBe('by-hand')
  })

  it('does nothing twice', () => {
    const once = addPlugin(`${imported}export default defineConfig({\n  test: {},\n})\n`)
    if (once.kind !== 'added') throw new Error(`expected it to be added, found ${once.kind}`)
    expect(addPlugin(once.text)).toEqual({ kind: 'present' })
  })
})
