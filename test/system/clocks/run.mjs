// A run that changes the clock of a process of somebody else's, whose pid is its argument: once, or without end.
//   node run.mjs PID once|without-end
import { openJournal } from '../../../dist/src/nemesis/undo/file-journal.js'
import { startGuardian } from '../../../dist/src/nemesis/undo/guard.js'
import { nodeClocks } from '../../../dist/src/systems/clock/node-clocks.js'

const pid = Number(process.argv[2])
const journal = await openJournal(`clocks-${process.pid}`)
const guardian = startGuardian(journal.file)
const clocks = nodeClocks({ journal, pidOf: async () => pid })
const tell = (text) => process.stdout.write(`${text}\n`)

tell(JSON.stringify({ guardian: guardian.pid }))
if (process.argv[3] === 'once') {
  await clocks.skew('n1', 3_600_000)
  tell('changed')
} else {
  tell('begins')
  for (let round = 0; ; round++) {
    const rule = round % 2 === 0 ? await clocks.skew('n1', -90_000) : await clocks.rate('n1', 0.5)
    await rule.remove()
  }
}
setInterval(() => {}, 1_000)
