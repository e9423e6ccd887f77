import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where Debian and its kin keep the servers, one directory for each major version. */
const debian = '/usr/lib/postgresql'

/** The directory with `initdb` and `postgres`, newest version first; null where there is none. */
export function programs(): string | null {
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const ofDebian = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(debian, version, 'bin'))
  const all = [...ofDebian, ...(process.env['PATH'] ?? '').split(':')]
  return all.find((directory) => existsSync(join(directory, 'initdb'))) ?? null
}

/** What the verdict `INCONCLUSIVE-env` names on a machine without PostgreSQL. */
export function missingPrograms(): readonly { readonly what: string; readonly hint: string }[] {
  return programs() === null ? [{ what: 'PostgreSQL', hint: 'apt-get install postgresql' }] : []
}
