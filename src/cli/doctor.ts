import { Command } from 'commander'
import pc from 'picocolors'
import { probeCapabilities } from '../environment/capabilities.js'
import type { Capability } from '../environment/probe.js'

/** `nemesis doctor`: what this machine offers, what each missing thing blocks, and how to get it. Never installs. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'what this machine offers, what each missing item blocks, how to install it (never installs)',
    )
    .option('--json', 'print the matrix as JSON')
    .action(async ({ json }: { json?: true }) => {
      const capabilities = await probeCapabilities({ cwd: process.cwd(), env: process.env })
      const text = json === true ? JSON.stringify({ capabilities }, null, 2) : matrix(capabilities)
      process.stdout.write(`${text}\n`)
    })
}

function matrix(capabilities: readonly Capability[]): string {
  const width = Math.max(...capabilities.map(({ name }) => name.length))
  return capabilities.map((capability) => lines(capability, width).join('\n')).join('\n')
}

function lines({ name, present, detail, blocks, install }: Capability, width: number): string[] {
  const state = present ? pc.green('ok     ') : pc.yellow('missing')
  const found = `${state}  ${name.padEnd(width)}  ${detail}`
  if (present) return [found]
  return [found, `         blocks: ${blocks}`, ...(install === null ? [] : [`         get it: ${install}`])]
}
