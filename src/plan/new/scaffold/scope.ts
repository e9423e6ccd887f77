import type { ChangeScope, Findings } from '../findings.js'
import { bullets, open, shortened, table } from './text.js'

const mostFiles = 60
const mostDependents = 40
const mostTests = 30

/** Section 1: what the plan is about, and for a change what it touches and reaches. */
export function scopeSection({ scope, tests }: Findings): string {
  if (scope === null) {
    const parts = [...new Set(tests.map(({ subsystem }) => subsystem))]
    return [
      open('which parts of the system this plan is about, and which it leaves out'),
      parts.length === 0
        ? 'No tests were found that would tell its parts.'
        : `Parts that have tests: ${shortened(parts, 30)}.`,
    ].join('\n\n')
  }
  return [
    ...scope.change.subjects.slice(0, 3).map((subject) => `> ${subject}`),
    '',
    open('what this change is meant to do, and what it must not change'),
    '',
    '### Files touched',
    '',
    filesTouched(scope),
    '',
    '### Surfaces',
    '',
    surfacesTouched(scope),
    '',
    '### Blast radius',
    '',
    blastRadius(scope),
    '',
    '### Tests near the change',
    '',
    nearTests(scope),
  ].join('\n')
}

function filesTouched({ change }: ChangeScope): string {
  const rows = change.files.slice(0, mostFiles).map(({ file, status }) => [`\`${file}\``, status])
  return table(['File', 'Status'], rows) + more(change.files.length, mostFiles, 'files')
}

function surfacesTouched({ surfaces }: ChangeScope): string {
  if (surfaces.length === 0)
    return open('which surfaces the change shows on: the paths of its files do not tell')
  return [
    table(
      ['Surface', 'Because of'],
      surfaces.map(({ name, files }) => [name, shortened(files, 3)]),
    ),
    '',
    open('say which of these surfaces the change shows on: they were told from the paths of its files'),
  ].join('\n')
}

function blastRadius({ dependents }: ChangeScope): string {
  const ask = open('what else depends on it: over the network, by configuration, by data that is stored')
  if (dependents.length === 0)
    return `No file of the repository imports the changed ones, as far as can be seen.\n\n${ask}`
  const rows = dependents
    .slice(0, mostDependents)
    .map(({ file, through, steps }) => [`\`${file}\``, `\`${through}\``, String(steps)])
  return `${table(['File', 'Uses', 'Steps'], rows)}${more(dependents.length, mostDependents, 'files')}\n\n${ask}`
}

function nearTests({ near }: ChangeScope): string {
  if (near.length === 0) return 'None was found.'
  const items = near.slice(0, mostTests).map(({ file, line, name }) => `\`${file}:${line}\` ${name}`)
  return bullets(items) + more(near.length, mostTests, 'tests')
}

function more(all: number, shown: number, what: string): string {
  return all > shown ? `\n\nAnd ${all - shown} more ${what}.` : ''
}
