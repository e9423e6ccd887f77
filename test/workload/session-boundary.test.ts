import { expect, test } from 'vitest'
import { startClock } from '../../src/history/clock.js'
import { outcomeOf } from '../../src/history/operation.js'
import { Recorder } from '../../src/history/recorder.js'
import { Random } from '../../src/random/random.js'
import { drive } from '../../src/workload/drive.js'
import { workload } from '../../src/workload/index.js'
import { temporaryDirectory } from '../history/temporary.js'

const temporary = temporaryDirectory()

/** As Node reports that connect(2) was refused. */
function refused(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect', code: 'ECONNREFUSED' })
}

test('a lost connection ends the session: the client goes on as another process, once, whatever its outcome', async () => {
  const clock = startClock()
  const recorder = new Recorder({ file: temporary.fresh(), clock })
  let connections = 0
  let attempts = 0
  let performed = 0
  await drive<{ readonly connection: number }, { name: string }>({
    workload: workload({
      clients: 1,
      think: 1,
      operations: {
        write: {
          run: async ({ client }) => {
            performed += 1
            // The client's own connection is gone: nothing was sent, so the operation failed.
            if (performed === 3) throw refused()
            return client.connection
          },
        },
      },
    }),
    nodes: [{ name: 'n1' }],
    connect: async () => {
      attempts += 1
      if (attempts === 2 || attempts === 3) throw refused()
      connections += 1
      return { connection: connections }
    },
    close: () => {},
    recorder,
    clock,
    random: new Random(1),
    durationMs: 1_500,
    signal: new AbortController().signal,
  })
  recorder.close()
  const operations = recorder.operations()
  expect(operations.slice(0, 6).map((it) => [it.process_id, outcomeOf(it), it.output])).toEqual([
    [0, 'ok', 1],
    [0, 'ok', 1],
    [0, 'failed', null],
    // Two attempts to connect again are no sessions.
    [1, 'failed', null],
    [1, 'failed', null],
    [1, 'ok', 2],
  ])
  for (const it of operations.slice(5)) expect([it.process_id, it.output]).toEqual([1, 2])
})
