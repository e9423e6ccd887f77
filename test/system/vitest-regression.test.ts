import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

const pinned = 'the_old_version_loses_a_question'

describe.each(versions)('$name', (version) => {
  describe.skipIf(!isAvailable(version))(
    `a scenario pinned to a known-bad version (else: ${version.setUp})`,
    { timeout: 600_000 },
    () => {
      let project: VitestProject
      afterEach(() => project.remove())

      const regressionIn = (session: string) => {
        const text = readFileSync(join(session, 'artifacts', pinned, 'record.json'), 'utf8')
        return (JSON.parse(text) as { regression: unknown }).regression
      }

      it('passes while it fails, fails when it passes, and says when it last failed', async () => {
        project = new VitestProject(version, 'regression')
        const bad = await project.run(['run', '-t', pinned], { GATE: 'strict' })
        expect(bad.code, bad.stdout + bad.stderr).toBe(0)
        expect(bad.stdout).toContain(`nemesis  FAIL-reproducible (expected)  ${pinned}`)
        expect(bad.stdout).toMatch(/session DONE/)
        const [first = ''] = project.sessions()
        expect(regressionIn(first)).toEqual({ of: 'shop 1.4.2 (known bad)', lastFailedAt: null })

        const repaired = await project.run(['run', '-t', pinned], { REPAIRED: '1' })
        expect(repaired.code).toBe(1)
        expect(repaired.stderr).toContain(
          'RegressionError: it no longer fails on shop 1.4.2 (known bad): the pin or the oracle has changed',
        )
        const last = project.sessions().find((session) => session !== first) ?? ''
        expect(regressionIn(last)).toEqual({
          of: 'shop 1.4.2 (known bad)',
          lastFailedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        })
      })

      it('is skipped where it cannot run', async () => {
        project = new VitestProject(version, 'regression')
        const { code, stdout } = await project.run(['run', '-t', 'needs_what_is_not_here'])
        expect(code, stdout).toBe(0)
        expect(stdout).toContain('INCONCLUSIVE-env')
      })
    },
  )
})
