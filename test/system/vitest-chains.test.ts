import { afterEach, describe, expect, it } from 'vitest'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

describe.each(versions)('$name', (version) => {
  describe.skipIf(!isAvailable(version))(
    `modifiers of scenarios (else: ${version.setUp})`,
    { timeout: 600_000 },
    () => {
      let project: VitestProject
      afterEach(() => project.remove())

      it('runs the scenario with .only and no other of its file', async () => {
        project = new VitestProject(version, 'chains')
        const { code, stdout } = await project.run(['run', 'only', '--allowOnly'])
        expect(code).toBe(0)
        expect(stdout).toContain('nemesis  PASS-smoke  is_the_only_one')
        expect(stdout).not.toContain('nemesis  NOT-RUN')
        expect(project.verdicts(project.sessions()[0] ?? '')).toEqual({
          is_the_only_one: 'PASS-smoke',
          is_left_out: 'NOT-RUN',
        })
      })

      it('declares a scenario a row with .each and .for, and heeds .skipIf and .runIf', async () => {
        project = new VitestProject(version, 'chains')
        const { code, stdout } = await project.run(['run', 'rows'])
        expect(stdout).toContain('nemesis  NOT-RUN  skip_if_true')
        const [session] = project.sessions()
        expect(project.verdicts(session ?? '')).toEqual({
          each_a_1: 'PASS-smoke',
          each_b_2: 'PASS-smoke',
          each_c: 'PASS-smoke',
          each_d: 'PASS-smoke',
          each_5: 'PASS-smoke',
          for_f: 'PASS-smoke',
          for_g: 'PASS-smoke',
          for_h: 'PASS-smoke',
          for_i: 'PASS-smoke',
          skip_if_true: 'NOT-RUN',
          skip_if_false: 'PASS-smoke',
          run_if_true: 'PASS-smoke',
          run_if_false: 'NOT-RUN',
        })
        expect(code).toBe(0)
        expect(project.read('rows.log').match(/\w/g)).toEqual(['h', 'i'])
        const directory = session?.slice(project.directory.length + 1)
        const idOf = (name: string) =>
          (JSON.parse(project.read(`${directory}/artifacts/${name}/record.json`)) as { id: string }).id
        expect(['each_b_2', 'each_d', 'for_g'].map(idOf)).toEqual(['S-b2', 'S-d', 'S-g'])
      })

      it('leaves a project without scenarios as it is: no session directory, not a word', async () => {
        project = new VitestProject(version, 'ordinary')
        const { code, stdout, stderr } = await project.run(['run'])
        expect(code).toBe(0)
        expect(stdout).toMatch(/Tests {2}1 passed/)
        expect(stdout + stderr).not.toMatch(/nemesis|session/)
        expect(project.exists('test-sessions')).toBe(false)
      })
    },
  )
})
