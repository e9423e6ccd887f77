import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Command } from 'commander'
import pc from 'picocolors'
import { count } from '../../findings/render/words.js'
import type { Drift } from '../../session/drift-record.js'
import { driftOf } from '../../plan/drift/drift.js'
import { testsOf } from '../../plan/drift/tests.js'
import { lint, toFill, type LintFinding } from '../../plan/lint/lint.js'
import { sarifOf } from '../../plan/lint/sarif.js'
import { isWithin, projectRoot } from '../../plan/project-root.js'
import { readPlan } from '../../plan/read-plan.js'
import { ownVersion } from '../../environment/own-package.js'
import { placesToFill } from './places-to-fill.js'

interface Options {
  readonly json?: true
  readonly sarif?: string
}

/**
 * `nemesis plan check FILE`: what is wrong with a plan, and where its tests have moved away from it. Exit code 0 for a plan
 * that may be executed, 1 with the findings for any other, 2 for no plan; drift alone changes none of them.
 */
export function planCheckCommand(): Command {
  return new Command('check')
    .description('lint a plan; exit code 1 with the findings when it may not be executed')
    .argument('<file>', 'the plan document')
    .option('--json', 'print the findings as JSON')
    .option('--sarif <file>', 'write them for code scanning as well (SARIF 2.1.0)')
    .action(async (file: string, { json, sarif }: Options) => {
      const { plan, source } = await readPlan(file)
      const root = projectRoot(file)
      const findings = lint(plan, source, { within: (target) => isWithin(root, target) })
      if (sarif !== undefined) {
        const uri = path.relative(root, path.resolve(file)).split(path.sep).join('/')
        await writeFile(sarif, `${JSON.stringify(sarifOf(findings, uri, ownVersion()), null, 2)}\n`)
      }
      const drift = driftOf(plan, testsOf(plan, root))
      const text =
        json === true ? JSON.stringify({ file, findings, drift }, null, 2) : inWords(file, findings, drift)
      process.stdout.write(`${text}\n`)
      process.exitCode = findings.length === 0 ? 0 : 1
    })
}

function inWords(file: string, findings: readonly LintFinding[], drift: readonly Drift[]): string {
  const apart = drift.map(({ id, detail }) => `${file}  ${pc.yellow('drift')}  ${id}: ${detail}`)
  if (findings.length === 0) return [...apart, `${file}: nothing to object`].join('\n')
  const open = findings.filter(({ code }) => code === toFill)
  const broken = findings.filter(({ code }) => code !== toFill)
  return [
    ...placesToFill(file, open),
    ...apart,
    ...broken.map(
      ({ code, at, reason, fix }) =>
        `${file}:${at.line}:${at.column}  ${pc.red(code)}  ${reason}\n    -> ${fix}`,
    ),
    `${count(broken.length, 'problem')}, ${count(open.length, 'place')} to fill: it may not be executed yet`,
  ].join('\n')
}
