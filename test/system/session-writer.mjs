// Writes records of its own into a session that others write to: DIRECTORY FROM RECORD, where RECORD is a template.
import { appendToLog, createSession, writeScenarioRecord } from '../../dist/src/session/session.js'

const [directory, from, template] = process.argv.slice(2)
const record = JSON.parse(template)
await createSession(directory)
for (let index = 0; index < 10; index++) {
  const number = Number(from) * 10 + index
  appendToLog(directory, `writer ${from} says ${'x'.repeat(3_000)}`)
  await writeScenarioRecord(directory, { ...record, id: `S${number}`, name: `claim_${number}` })
  // All of them replace this one, again and again.
  await writeScenarioRecord(directory, { ...record, id: 'S999', name: 'shared_claim' })
}
