import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, root, textOf } from './sources.js'

const linesMax = 350
const own = filesBelow('src', 'plugin', 'reporters')

/** What git tracks, but for locked versions and binary files. */
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|m?js|c|json|md|yml|sh)$|^\.ci\/run$|^LICENSE$/.test(file))
  // A file that was deleted stays in the index until the deletion is committed.
  .filter((file) => !file.endsWith('package-lock.json') && existsSync(join(root, file)))

function offending(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    textOf(file)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )
}

describe('the house is tidy', () => {
  it('looks at the files', () => {
    expect(own.length).toBeGreaterThan(50)
    expect(tracked.length).toBeGreaterThan(50)
  })

  it(`no source file is longer than ${linesMax} lines`, () => {
    const long = own.map((file) => [file, textOf(file).split('\n').length] as const)
    expect(long.filter(([, lines]) => lines > linesMax)).toEqual([])
  })

  it('source files are named in lower case with dashes', () => {
    expect(own.filter((file) => !/^[a-z0-9./-]+$/.test(file))).toEqual([])
  })

  it('every file ends with one line end, and none has tabs or trailing blanks', () => {
    const code = tracked.filter((file) => /\.(ts|m?js)$/.test(file))
    expect(code.filter((file) => !/[^\n]\n$/.test(textOf(file)))).toEqual([])
    expect(offending(code, /\s+$|^\t/)).toEqual([])
  })

  it('no path of somebody’s machine, no registry', () => {
    const machine = new RegExp(
      `(/home/[a-z]|/Users/[A-Z]|[A-Z]:\\\\Users|${homedir() === '/root' ? '/root/' : homedir()})`,
    )
    const files = tracked.filter((file) => file !== 'test/repo/tidy.test.ts')
    expect(offending(files, machine)).toEqual([])
    expect(offending(files, /registry\.npmjs|"resolved": "http|\.npmjs\.org/)).toEqual([])
  })

  it('nothing is left to do, switched off or focused', () => {
    const mark = /\b(TODO|FIXME|XXX|HACK)\b/
    const focused = /\b(it|test|describe|scenario)\.only\(/
    const tests = tracked.filter((file) => /^test\/.*\.test\.ts$/.test(file))
    expect(offending(own, mark)).toEqual([])
    expect(offending(tests, focused)).toEqual([])
    expect(offending(own, /@ts-(ignore|nocheck)|oxlint-disable(?!-next-line)/)).toEqual([])
  })

  it('src/ prints through streams that are given or the standard ones, never the console', () => {
    expect(offending(own, /\bconsole\.\w+\(/)).toEqual([])
  })
})
