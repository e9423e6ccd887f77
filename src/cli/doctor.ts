import { Command } from 'commander'
import pc from 'picocolors'
import { probeCapabilities } from '../environment/capabilities.js'
import type { Capability } from '../environment/probe.js'
import { needsOf, type Need } from '../plan/needs.js'
import { readPlan } from '../plan/read-plan.js'

interface Options {
  readonly json?: true
  readonly plan?: string
}

/**
 * `nemesis doctor`: what this machine offers, what each missing thing blocks, and how to get it. With `--plan`, only what the
 * plan needs, and the scenarios that each missing thing blocks. Never installs.
 */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'what this machine offers, what each missing item blocks, how to install it (never installs)',
    )
    .option('--plan <file>', 'only what the environment section and the faults of a plan need')
    .option('--json', 'print the matrix as JSON')
    .action(async ({ json, plan: file }: Options) => {
      const read = file === undefined ? null : await readPlan(file)
      const capabilities = await probeCapabilities({ cwd: process.cwd(), env: process.env })
      const needs = read === null ? null : needsOf(read.plan, capabilities)
      const data = needs === null ? { capabilities } : { plan: file, needs }
      const text = needs === null ? matrix(capabilities) : needsMatrix(needs)
      process.stdout.write(`${json === true ? JSON.stringify(data, null, 2) : text}\n`)
    })
}

function matrix(capabilities: readonly Capability[]): string {
  return lines(
    capabilities.map(({ name, present, detail, blocks, install }) => ({
      name,
      state: present ? 'there' : 'missing',
      detail,
      blocks,
      install,
    })),
  )
}

function needsMatrix(needs: readonly Need[]): string {
  if (needs.length === 0) return 'the plan names nothing that it needs: section 6b and the faults are open'
  return lines(
    needs.map(({ what, scenarios, ...need }) => ({
      ...need,
      name: what,
      blocks: scenarios.length === 0 ? 'no scenario' : scenarios.join(', '),
    })),
  )
}

interface Row {
  readonly name: string
  readonly state: Need['state']
  readonly detail: string
  readonly blocks: string
  readonly install: string | null
}

const states: Readonly<Record<Need['state'], string>> = {
  there: pc.green('ok     '),
  missing: pc.yellow('missing'),
  unknown: pc.cyan('unknown'),
}

function lines(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  return rows
    .flatMap(({ name, state, detail, blocks, install }) => [
      `${states[state]}  ${name.padEnd(width)}  ${detail}`,
      ...(state === 'there' ? [] : [`         blocks: ${blocks}`]),
      ...(state === 'there' || install === null ? [] : [`         get it: ${install}`]),
    ])
    .join('\n')
}
