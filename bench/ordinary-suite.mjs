// What the plugin costs a suite without scenarios: the processor time (user and system, of all its processes) of 100
// trivial tests with the plugin, divided by that without it. For one file of 100 tests, and for 20 files of 5.
// Prints one JSON line a shape; needs bash, and `npm run build` before.
//
//   node bench/ordinary-suite.mjs [--rounds 10] [--vitest <folder of the vitest package>]

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    vitest: { type: 'string', default: join(root, 'node_modules/vitest') },
  },
})
const rounds = Number(values.rounds)
const shapes = [
  { files: 1, tests: 100 },
  { files: 20, tests: 5 },
]

const config = (plugins) => `import { defineConfig } from 'vitest/config'
${plugins ? "import { nemesis } from 'vitest-nemesis/plugin'\n" : ''}
export default defineConfig({ plugins: [${plugins ? 'nemesis()' : ''}], test: { include: ['*.spec.ts'] } })
`

function layOut(directory, { files, tests }) {
  const installed = join(directory, 'node_modules/vitest-nemesis')
  cpSync(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(installed, 'package.json'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'ordinary', type: 'module' }))
  writeFileSync(join(directory, 'with.config.ts'), config(true))
  writeFileSync(join(directory, 'without.config.ts'), config(false))
  for (let index = 0; index < files; index++) {
    const lines = Array.from(
      { length: tests },
      (_, number) => `test('adds ${number}', () => { expect(1 + ${number}).toBe(${1 + number}) })`,
    )
    writeFileSync(
      join(directory, `t${index}.spec.ts`),
      ["import { expect, test } from 'vitest'", ...lines].join('\n'),
    )
  }
}

/** Seconds of processor time of one run, its workers included, as the shell accounts for them. */
function seconds(directory, name) {
  const timed = 'TIMEFORMAT="%3U %3S"; time "$@" >&2'
  const vitest = [join(values.vitest, 'vitest.mjs'), 'run', '--config', `${name}.config.ts`, '--reporter=dot']
  const { status, stderr } = spawnSync('bash', ['-c', timed, 'bash', process.execPath, ...vitest], {
    cwd: directory,
    encoding: 'utf8',
  })
  const [, user, system] = /(\d+\.\d+) (\d+\.\d+)\s*$/.exec(stderr) ?? []
  if (status !== 0 || system === undefined) {
    throw new Error(`vitest ${name} the plugin ended with ${status}: ${stderr}`)
  }
  return Number(user) + Number(system)
}

const rounded = (number) => Number(number.toFixed(3))

/** The value below which this share of the numbers is. */
function quantile(numbers, share) {
  const sorted = numbers.toSorted((one, other) => one - other)
  return rounded(sorted[Math.round((sorted.length - 1) * share)])
}

/** Runs in the order A B B A, so that a machine that gets busier or idler meanwhile disturbs both alike. */
function compare(directory) {
  const samples = { with: [], without: [] }
  for (const name of ['with', 'without']) seconds(directory, name)
  const ratios = []
  for (let round = 0; round < rounds; round++) {
    const outer = round % 2 === 0 ? 'with' : 'without'
    const inner = round % 2 === 0 ? 'without' : 'with'
    const sums = { with: 0, without: 0 }
    for (const name of [outer, inner, inner, outer]) {
      const taken = seconds(directory, name)
      samples[name].push(taken)
      sums[name] += taken
    }
    ratios.push(sums.with / sums.without)
  }
  return { samples, ratios }
}

// Below the vitest package's own project, so that the copy finds the same one.
const home = join(values.vitest, '../../test/.runs')
mkdirSync(home, { recursive: true })
for (const shape of shapes) {
  const directory = mkdtempSync(join(home, 'ordinary-suite-'))
  try {
    layOut(directory, shape)
    const { samples, ratios } = compare(directory)
    const report = {
      bench: 'ordinary-suite',
      ...shape,
      rounds,
      ratio: rounded(quantile(samples.with, 0.5) / quantile(samples.without, 0.5)),
      ratioOfRounds: {
        quarter: quantile(ratios, 0.25),
        half: quantile(ratios, 0.5),
        three: quantile(ratios, 0.75),
      },
      withPluginCpuSeconds: quantile(samples.with, 0.5),
      withoutCpuSeconds: quantile(samples.without, 0.5),
    }
    console.log(JSON.stringify(report))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
