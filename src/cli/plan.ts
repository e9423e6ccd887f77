import { Command } from 'commander'
import { planCheckCommand } from './plan/check.js'
import { planNewCommand } from './plan/new.js'

/** `nemesis plan …`: what is done with plan documents. */
export function planCommand(): Command {
  return new Command('plan')
    .description('scaffold and check plan documents')
    .addCommand(planNewCommand())
    .addCommand(planCheckCommand())
}
