import { afterEach, describe, expect, it, vi } from 'vitest'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

const patience = { timeout: 120_000, interval: 50 }

/** Starts the project and resolves, with the id of the worker, when its long scenario is running. */
async function running(project: VitestProject, args: readonly string[], env: Record<string, string> = {}) {
  const vitest = project.start(['run', ...args], env)
  // The file is there a moment before its content is.
  await vi.waitFor(() => expect(project.read('started')).not.toBe(''), patience)
  // Inside an object, because a subprocess is a promise of its own end.
  return { vitest, worker: Number(project.read('started')) }
}

describe.each(versions)('$name', (version) => {
  describe.skipIf(!isAvailable(version))(
    `interruptions (else: ${version.setUp})`,
    { timeout: 600_000 },
    () => {
      let project: VitestProject
      afterEach(() => project.remove())

      it.each([
        ['Ctrl-C, which reaches every process of the terminal', 'SIGINT', true, ['waits'], 130],
        ['Ctrl-C beside an ordinary test', 'SIGINT', true, ['waits', 'ordinary', '--maxWorkers=2'], 130],
        ['SIGTERM to the main process', 'SIGTERM', false, ['waits'], 143],
      ] as const)('stops the system, records and reports on %s', async (_, signal, group, args, code) => {
        project = new VitestProject(version, 'interrupted')
        const { vitest } = await running(project, args)
        process.kill((vitest.pid ?? 0) * (group ? -1 : 1), signal)
        const { exitCode, stdout } = await vitest
        expect(exitCode).toBe(code)
        expect(project.exists('stopped')).toBe(true)
        expect(project.exists('came-after')).toBe(false)
        const [session] = project.sessions()
        expect(project.verdicts(session ?? '')).toEqual({
          waits_until_it_is_told_to_end: 'INCONCLUSIVE-env',
          comes_after: 'NOT-RUN',
        })
        expect(stdout).toContain('session BLOCKED')
      })

      it('ends at once on a second Ctrl-C', async () => {
        project = new VitestProject(version, 'interrupted')
        const { vitest, worker } = await running(project, ['waits'], { STOPS_FOR: '50000' })
        process.kill(-(vitest.pid ?? 0), 'SIGINT')
        await vi.waitFor(() => expect(project.exists('stopping')).toBe(true), patience)
        process.kill(-(vitest.pid ?? 0), 'SIGINT')
        const { exitCode } = await vitest
        expect(exitCode).toBe(130)
        await vi.waitFor(() => expect(() => process.kill(worker, 0)).toThrow(), patience)
        expect(project.exists('stopped')).toBe(false)
      })

      it('ends at once on Ctrl-C while no scenario runs', async () => {
        project = new VitestProject(version, 'interrupted')
        const vitest = project.start(['run', 'ordinary'])
        await vi.waitFor(() => expect(project.exists('takes-its-time')).toBe(true), patience)
        process.kill(-(vitest.pid ?? 0), 'SIGINT')
        expect((await vitest).exitCode).toBe(130)
      })

      it('ends a scenario that overruns its limit, and starts the next one only when it has stopped', async () => {
        project = new VitestProject(version, 'interrupted')
        const { stdout } = await project.run(['run', 'waits'], { LIMIT: '2s' })
        expect(project.exists('stopped')).toBe(true)
        expect(project.exists('came-after')).toBe(true)
        const [session] = project.sessions()
        const verdicts = project.verdicts(session ?? '')
        expect(verdicts).toMatchObject({ waits_until_it_is_told_to_end: 'INCONCLUSIVE-env' })
        expect(stdout).toContain('did not end within 2000 ms')
      })

      it('reports a scenario whose worker died, and does not pass', async () => {
        project = new VitestProject(version, 'interrupted')
        const { code, stdout } = await project.run(['run', 'dies'])
        expect(code).toBe(1)
        expect(stdout).toContain('nemesis  INCONCLUSIVE-env  takes_the_worker_down')
        const [session] = project.sessions()
        expect(project.verdicts(session ?? '')).toEqual({
          holds_before: 'PASS-smoke',
          takes_the_worker_down: 'INCONCLUSIVE-env',
          never_gets_its_turn: 'NOT-RUN',
        })
      })

      it('gives the turn of a worker that died to the next file', async () => {
        project = new VitestProject(version, 'interrupted')
        const { stdout } = await project.run(['run', 'dies', 'quick', '--maxWorkers=2'])
        expect(stdout).toContain('nemesis  PASS-smoke  goes_on')
      })

      it('ends the worker when the main process is killed', async () => {
        project = new VitestProject(version, 'interrupted')
        const { vitest, worker } = await running(project, ['waits'])
        process.kill(vitest.pid ?? 0, 'SIGKILL')
        await vitest
        await vi.waitFor(() => expect(() => process.kill(worker, 0)).toThrow(), patience)
      })

      it('makes a session of its own for each run in watch mode', async () => {
        project = new VitestProject(version, 'interrupted')
        const vitest = project.start(['watch', 'quick'])
        const finished = () => project.sessions().filter((session) => project.hasReport(session)).length
        await vi.waitFor(() => expect(finished()).toBe(1), patience)
        project.touch('quick.scenario.ts')
        await vi.waitFor(() => expect(finished()).toBe(2), patience)
        process.kill(vitest.pid ?? 0, 'SIGTERM')
        await vitest
      })

      it('ends a watching Vitest by SIGTERM, after the scenario that runs', async () => {
        project = new VitestProject(version, 'interrupted')
        const vitest = project.start(['watch', 'waits'])
        await vi.waitFor(() => expect(project.exists('started')).toBe(true), patience)
        process.kill(vitest.pid ?? 0, 'SIGTERM')
        expect((await vitest).exitCode).toBe(143)
        expect(project.exists('stopped')).toBe(true)
      })
    },
  )
})
