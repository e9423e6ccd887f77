// What the plugin costs a suite without scenarios: the wall time of 100 trivial test files with it, divided by the
// wall time without it. Prints one JSON line; needs `npm run build` before.
//
//   node bench/ordinary-suite.mjs [--rounds 7] [--files 100] [--vitest <folder of the vitest package>]

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    files: { type: 'string', default: '100' },
    vitest: { type: 'string', default: join(root, 'node_modules/vitest') },
  },
})
const rounds = Number(values.rounds)
const files = Number(values.files)

const config = (plugins) => `import { defineConfig } from 'vitest/config'
${plugins ? "import { nemesis } from 'vitest-nemesis/plugin'\n" : ''}
export default defineConfig({ plugins: [${plugins ? 'nemesis()' : ''}], test: { include: ['*.spec.ts'] } })
`

function layOut(directory) {
  const installed = join(directory, 'node_modules/vitest-nemesis')
  cpSync(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'ordinary', type: 'module' }))
  writeFileSync(join(directory, 'with.config.ts'), config(true))
  writeFileSync(join(directory, 'without.config.ts'), config(false))
  for (let index = 0; index < files; index++) {
    const test = `import { expect, test } from 'vitest'\ntest('adds', () => { expect(1 + ${index}).toBe(${1 + index}) })\n`
    writeFileSync(join(directory, `t${index}.spec.ts`), test)
  }
}

function seconds(directory, name) {
  const from = process.hrtime.bigint()
  const vitest = [join(values.vitest, 'vitest.mjs'), 'run', '--config', `${name}.config.ts`, '--reporter=dot']
  const { status, stderr } = spawnSync(process.execPath, vitest, { cwd: directory, encoding: 'utf8' })
  if (status !== 0) throw new Error(`vitest ${name} the plugin ended with ${status}: ${stderr}`)
  return Number(process.hrtime.bigint() - from) / 1e9
}

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)]

// Below the vitest package's own project, so that the copy finds the same one.
const home = join(values.vitest, '../../test/.runs')
mkdirSync(home, { recursive: true })
const directory = mkdtempSync(join(home, 'ordinary-suite-'))
try {
  layOut(directory)
  seconds(directory, 'with')
  seconds(directory, 'without')
  const pairs = []
  for (let round = 0; round < rounds; round++) {
    // In turns and in changing order, so that a busy machine disturbs both alike.
    const names = round % 2 === 0 ? ['with', 'without'] : ['without', 'with']
    const pair = {}
    for (const name of names) pair[name] = seconds(directory, name)
    pairs.push(pair)
  }
  const withPlugin = pairs.map((pair) => pair.with)
  const without = pairs.map((pair) => pair.without)
  const ratios = pairs.map((pair) => pair.with / pair.without)
  console.log(
    JSON.stringify({
      bench: 'ordinary-suite',
      files,
      rounds,
      ratio: Number(median(ratios).toFixed(3)),
      fastest: Number((Math.min(...withPlugin) / Math.min(...without)).toFixed(3)),
      withPluginSeconds: Number(median(withPlugin).toFixed(3)),
      withoutSeconds: Number(median(without).toFixed(3)),
    }),
  )
} finally {
  rmSync(directory, { recursive: true, force: true })
}
