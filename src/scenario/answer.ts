import { writeFile } from 'node:fs/promises'
import { NemesisError } from '../errors.js'
import { writeFinding } from '../findings/finding.js'
import { readReproducer } from '../findings/reduction/reproducer.js'
import { sessionLayout } from '../session/layout.js'
import { readJson } from '../session/read-json.js'
import { scenarioRecordSchema, type ScenarioRecord } from '../session/record.js'
import { writeScenarioRecord } from '../session/session.js'
import type { ScenarioBody } from './pass/drive/body.js'
import { changedSince } from './declaration/changed-since.js'
import { declaredRecord } from './declaration/declared-record.js'
import { harnessDigest } from './declaration/harness-digest.js'
import { changedSinceReproducer } from './reduce/replay.js'
import { Passes, type RunEnvironment } from './runs/passes.js'
import { reduceByReruns } from './reduce/reduce.js'
import type { Answer, Request } from './request.js'
import { runScenario } from './run.js'
import type { ScenarioSpec } from './spec.js'

/**
 * Does what the command line asks for and writes the answer. Resolves to the scenario's record: the recorded one with its
 * reduction, or that of a new session. Throws what is refused, after it has been answered.
 */
export async function answerRequest(
  request: Request,
  {
    spec,
    body,
    environment,
  }: { spec: ScenarioSpec; body: ScenarioBody | undefined; environment: RunEnvironment },
): Promise<ScenarioRecord> {
  const say = (answer: Answer) => writeFile(request.answer, JSON.stringify(answer))
  try {
    if (request.kind === 'replay') {
      const reproducer = await readReproducer(request.reproducer)
      const record = await runScenario(spec, body, { ...environment, reproducer })
      const changed = changedSinceReproducer(new Passes(spec, body, environment), reproducer)
      await say({ kind: 'replayed', verdict: record.ruling.verdict, changed })
      return record
    }
    const record = await readJson(
      sessionLayout(request.session).record(environment.name),
      scenarioRecordSchema,
    )
    const { name, location, tier } = environment
    const changed = changedSince(record, {
      ...declaredRecord(spec, { name, location, tier }),
      harness: harnessDigest({ spec, body, tier }),
    })
    const reduced = await reduceByReruns(new Passes(spec, body, environment), record, {
      ...(request.runs === undefined ? {} : { runs: request.runs }),
      ...(request.withinMs === undefined ? {} : { within: request.withinMs }),
    })
    await writeScenarioRecord(request.session, record)
    await writeFinding(request.session, record)
    await say({ kind: 'reduced', ...reduced, changed })
    return record
  } catch (error) {
    if (error instanceof NemesisError) {
      await say({ kind: 'refused', message: error.summary, hint: error.hint ?? null })
    }
    throw error
  }
}
