// Exercises the row that is asked for, and tells in a file how far it is: a line for each phase, first who it is.
import { appendFileSync } from 'node:fs'
import { it } from 'vitest'
import { faults } from '../../../dist/src/nemesis/faults/index.js'
import { faultRows } from '../../rows.mjs'

const tell = (line) => appendFileSync(process.env.TORTURE_PHASES, `${line}\n`)

for (const definition of Object.values(faults)) {
  const { inject } = definition
  definition.inject = async (...args) => {
    tell('injecting')
    const injection = await inject(...args)
    tell('in-place')
    return {
      ...injection,
      async heal() {
        tell('healing')
        const evidence = await injection.heal()
        tell('ending')
        return evidence
      },
    }
  }
}

it('exercises a fault', async () => {
  const rows = await faultRows()
  const { fault, mechanism, run } = rows[Number(process.env.TORTURE_ROW)]
  tell(`worker ${process.pid}`)
  tell('starting')
  try {
    tell(`done ${fault} by ${mechanism}: ${await run()}`)
  } catch (error) {
    tell(`failed ${String(error instanceof Error ? error.message : error).split('\n')[0]}`)
    throw error
  }
})
