#!/usr/bin/env node
import { authorCommand } from './author.js'
import { catalogCommand } from './catalog.js'
import { checkCommand } from './check.js'
import { doctorCommand } from './doctor.js'
import { healCommand } from './heal.js'
import { initCommand } from './init.js'
import { reduceCommand } from './reduce.js'
import { planCommand } from './plan.js'
import { replayCommand } from './replay.js'
import { reportCommand } from './report.js'
import { run } from './run.js'
import { skillsCommand } from './skills.js'

// A reader that has seen enough, such as `head`, closes the pipe: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const commands = [
  initCommand(),
  doctorCommand(),
  checkCommand(),
  reportCommand(),
  planCommand(),
  authorCommand(),
  replayCommand(),
  reduceCommand(),
  healCommand(),
  catalogCommand(),
  skillsCommand(),
]
process.exitCode = await run(commands, process.argv.slice(2))
