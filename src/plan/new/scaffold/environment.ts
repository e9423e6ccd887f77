import type { Findings } from '../findings.js'
import { ids, type Outline } from './outline.js'
import { open, table } from './text.js'

/** Section 6b: what runs the scenarios, and what the toolbox says that they will need. */
export function environmentSection({ scenarios }: Outline, { toolbox }: Findings): string {
  const all = ids(scenarios)
  const has = (words: RegExp) => toolbox.some(({ kind, name }) => words.test(`${kind} ${name}`))
  const rows = [
    ['Node.js', '20', all, 'https://nodejs.org/en/download'],
    ['Vitest', '4.1', all, 'npm i -D vitest vitest-nemesis'],
    ...(has(/^compose /)
      ? [
          [
            'Docker Engine',
            open('the version that it is run with'),
            all,
            'https://docs.docker.com/engine/install/',
          ],
          [
            'Docker Compose',
            open('the version that it is run with'),
            all,
            'https://docs.docker.com/compose/install/',
          ],
        ]
      : []),
    ...(has(/^layout Go /) ? [['Go', open('the version of go.mod'), all, 'https://go.dev/doc/install']] : []),
    ...(has(/^layout Cargo /)
      ? [
          [
            'Rust and Cargo',
            open('the version of the toolchain file'),
            all,
            'https://www.rust-lang.org/tools/install',
          ],
        ]
      : []),
    [open('what else the system needs, or take the row out'), open('a version'), all, open('how to get it')],
  ]
  return table(['Requirement', 'Version floor', 'Scenarios', 'Install hint'], rows)
}
