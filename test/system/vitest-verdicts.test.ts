import { afterEach, describe, expect, it } from 'vitest'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

describe.each(versions)('$name', (version) => {
  describe.skipIf(!isAvailable(version))(
    `verdicts as test states (else: ${version.setUp})`,
    { timeout: 600_000 },
    () => {
      let project: VitestProject
      afterEach(() => project.remove())

      it('passes, fails and skips by the verdict, and tells where the report is', async () => {
        project = new VitestProject(version, 'verdicts')
        const { code, stdout, stderr } = await project.run(['run', '--reporter=verbose', '--retry=2'])
        expect(code).toBe(1)
        expect(stdout).toMatch(/✓ verdicts\.scenario\.ts\S* > answers_every_question/)
        expect(stdout).toMatch(/× verdicts\.scenario\.ts\S* > loses_a_question/)
        expect(stdout).toMatch(/↓ verdicts\.scenario\.ts\S* > needs_what_is_not_here.*a mainframe/)
        const [session] = project.sessions()
        expect(project.verdicts(session ?? '')).toEqual({
          answers_every_question: 'PASS-smoke',
          loses_a_question: 'FAIL-reproducible',
          needs_what_is_not_here: 'INCONCLUSIVE-env',
          is_skipped: 'NOT-RUN',
          is_still_to_be_written: 'NOT-RUN',
          answers_with_1_nodes: 'PASS-smoke',
          answers_with_3_nodes: 'PASS-smoke',
          greets: 'PASS-smoke',
        })
        for (const part of [
          'nemesis  PASS-smoke  answers_every_question  C1  oracle judged 1 operations',
          'nemesis  NOT-RUN  is_still_to_be_written',
          'ViolationError: FAIL-reproducible',
          'C1 does not hold: every question gets an answer',
          'npx nemesis replay test-sessions/shop-verdicts/',
          'verdicts.scenario.ts:12:1',
          'session FAIL  4 PASS-smoke, 1 FAIL-reproducible, 1 INCONCLUSIVE-env, 2 NOT-RUN',
        ]) {
          expect(stdout + stderr).toContain(part)
        }
        const report = /report {2}(\S+)/.exec(stdout)?.[1] ?? ''
        expect(project.read(report)).toContain('loses_a_question')
        expect(project.read(report)).toContain('is_still_to_be_written')
        // One run and the two that see whether it happens again: `--retry` has not added any.
        expect(project.read('attempts.log').match(/attempt/g)).toHaveLength(3)
      })

      it('fails everything that is not a PASS under the strict gate', async () => {
        project = new VitestProject(version, 'verdicts')
        const run = (pattern: string) => project.run(['run', 'verdicts', '-t', pattern], { GATE: 'strict' })
        const inconclusive = await run('needs_what_is_not_here')
        expect(inconclusive.code).toBe(1)
        expect(inconclusive.stderr).toContain('InconclusiveError: INCONCLUSIVE-env')
        expect((await run('answers_every_question')).code).toBe(0)
        expect((await run('is_skipped')).code).toBe(1)
      })

      it('runs one scenario by its name, and reports the others as not run without complaint', async () => {
        project = new VitestProject(version, 'verdicts')
        const { code, stdout } = await project.run(['run', '-t', 'answers_every_question'])
        expect(code).toBe(0)
        expect(stdout).not.toContain('nemesis  NOT-RUN  greets')
        const verdicts = project.verdicts(project.sessions()[0] ?? '')
        expect(verdicts).toMatchObject({ answers_every_question: 'PASS-smoke', greets: 'NOT-RUN' })
      })

      it('is found by its tag', async () => {
        project = new VitestProject(version, 'verdicts')
        const { stdout } = await project.run([
          'run',
          '--tags-filter=scenario',
          '-t',
          'greets',
          '--reporter=verbose',
        ])
        expect(stdout).toMatch(/✓ .*greets/)
        expect(stdout).not.toMatch(/✓ .*adds/)
      })

      it('leaves standard output to a reporter for machines', async () => {
        project = new VitestProject(version, 'verdicts')
        const { stdout, stderr } = await project.run(['run', '--reporter=junit', '--outputFile=junit.xml'])
        expect(project.read('junit.xml')).toMatch(/<failure message="FAIL-reproducible/)
        expect(project.read('junit.xml')).toMatch(/needs_what_is_not_here[^]*?<skipped\/>/)
        expect(stdout).not.toContain('nemesis')
        expect(stderr).toContain('nemesis  PASS-smoke  answers_every_question')
      })

      it('stops after the first violation with --bail, and accounts for what did not run', async () => {
        project = new VitestProject(version, 'verdicts')
        const { code } = await project.run(['run', 'verdicts', '--bail=1'])
        expect(code).toBe(1)
        const verdicts = project.verdicts(project.sessions()[0] ?? '')
        expect(verdicts).toMatchObject({ loses_a_question: 'FAIL-reproducible', greets: 'NOT-RUN' })
      })

      it('shows a wrong declaration at its line, without frames of this package', async () => {
        project = new VitestProject(version, 'misdeclared')
        const { code, stdout, stderr } = await project.run(['run'])
        expect(code).toBe(1)
        const output = stdout + stderr
        expect(output).toContain('checkers is empty or missing: without an oracle a run proves nothing')
        expect(output).toContain('❯ wrong.scenario.ts:4:1')
        expect(output).not.toContain('validate.ts')
      })

      it('merges the reports of shards', async () => {
        project = new VitestProject(version, 'turns')
        for (const shard of [1, 2]) {
          const run = [
            'run',
            'scenario',
            `--shard=${shard}/2`,
            '--reporter=blob',
            `--outputFile=blobs/${shard}.json`,
          ]
          expect((await project.run(run)).code).toBe(0)
        }
        expect(project.sessions()).toHaveLength(2)
        const { code, stdout } = await project.run(['--merge-reports=blobs'])
        expect(code).toBe(0)
        expect(stdout).toContain('session DONE  4 PASS-smoke')
        expect(stdout.match(/findings\/report\.md/g)).toHaveLength(2)
      })
    },
  )
})
