import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it, type TestContext } from 'vitest'
import { requires } from '../support/requirements.js'

const script = fileURLToPath(new URL('./kill-nine.mjs', import.meta.url))

interface Summary {
  readonly verdict: string | null
  /** Runs, the first whole one included. */
  readonly runs: number
  /** Runs that were ended while they held something. */
  readonly met: number
  readonly cleanByGuardian: number
  readonly cleanByHeal: number
  readonly notClean: number
  readonly hung: number
}

/** Ends runs as the arguments say; nothing may be left five seconds later, and `nemesis heal` must have nothing to do. */
async function endRuns(context: TestContext, args: string): Promise<Summary> {
  const { stdout, stderr } = await execa(process.execPath, [script, ...args.split(' ')], {
    reject: false,
    timeout: 880_000,
  })
  const summary = JSON.parse(stdout.split('\n').at(-1) || JSON.stringify({ stderr })) as Summary
  await context.annotate(`${args}: ${JSON.stringify(summary)}`)
  const clean = { cleanByGuardian: summary.runs, cleanByHeal: 0, notClean: 0, hung: 0 }
  expect(summary, `${stdout}\n${stderr}`).toMatchObject(clean)
  return summary
}

/** Two moments at which a system of this size is at work: its workload alone takes longer. */
const atWork = '--count 2 --range 6000 --seed 112'

requires(
  'docker',
  'root',
  'linux',
  'nft',
  'busybox',
)('what a killed run leaves behind', () => {
  it.for(['--kind docker --seed 11', '--kind processes --seed 12', '--kind namespaces --seed 13'])(
    'is nothing after kill -9 of the main process at ten moments: %s',
    { timeout: 900_000 },
    async (kind, context) => {
      const summary = await endRuns(context, `${kind} --count 10`)
      // On a busy machine a fault may not be proven in time; that the run went to its end is what counts here.
      expect(summary.verdict).toMatch(/^(PASS-smoke|INCONCLUSIVE-fault-not-proven)$/)
      expect(summary.runs).toBe(11)
      // Moments before the system starts say nothing about what it leaves.
      expect(summary.met).toBeGreaterThanOrEqual(3)
    },
  )

  it.for([
    ['the worker alone', '--ending worker'],
    ['everything at once', '--ending all'],
    ['Ctrl-C', '--ending ctrl-c'],
    ['SIGTERM', '--ending sigterm'],
    ['the end of the terminal', '--ending hangup'],
    ['kill -9 with threads', '--pool threads'],
    ['kill -9 with helper containers', '--kind helper'],
  ] as const)('is nothing after %s', { timeout: 900_000 }, async ([, how], context) => {
    expect((await endRuns(context, `${how} ${atWork}`)).met).toBeGreaterThanOrEqual(1)
  })

  it('is nothing after the time limit of the scenario', { timeout: 900_000 }, async (context) => {
    const { verdict } = await endRuns(context, '--ending none --limit 3000')
    expect(verdict).not.toMatch(/^PASS/)
  })
})

requires(
  'docker',
  'root',
  'linux',
  'nft',
  'busybox',
  'vitest5',
)('what a killed run of Vitest 5 leaves', () => {
  it('is nothing after kill -9 of the main process', { timeout: 900_000 }, async (context) => {
    expect((await endRuns(context, `--vitest 5 ${atWork}`)).met).toBeGreaterThanOrEqual(1)
  })
})
