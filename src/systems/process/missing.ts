import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namespacesMissing } from '../netns/missing.js'
import { disksMissing } from '../storage/disks.js'
import type { Missing } from '../system.js'
import { findExecutable } from './executable.js'
import { launchContext } from './launch.js'
import { commandOf, envOf, type ProcessesSettings } from './options.js'

/** What this machine lacks to run the processes: process groups and signals, and the program itself. */
export async function missingFor(settings: ProcessesSettings): Promise<readonly Missing[]> {
  if (process.platform === 'win32') {
    return [
      {
        what: 'process groups and signals',
        hint: 'Windows has neither; run the tests on Linux, macOS or in WSL 2',
      },
    ]
  }
  const disk = settings.disk === null ? null : await disksMissing(settings.disk)
  const namespaces = settings.namespaces === null ? null : await namespacesMissing()
  const beside = [disk, namespaces].filter((missing) => missing !== null)
  const { file, path } = await firstCommand(settings)
  if ((await findExecutable(file, { cwd: settings.cwd, path })) !== null) return beside
  return [
    ...beside,
    {
      what: file,
      hint: `install ${file} so that it is found in PATH, or correct \`command\` or \`cwd\` of processes()`,
    },
  ]
}

/** Asks for the first node's command with the declared ports as stand-ins and a directory that is removed again. */
async function firstCommand(settings: ProcessesSettings): Promise<{ file: string; path: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-check-'))
  try {
    const ports = new Map(settings.ports.map((port) => [port, port]))
    const nodes = settings.names.map((name) => ({ name, host: '127.0.0.1', ports, dataDir: directory }))
    const launch = launchContext(nodes, 0, () => null)
    const [file = ''] = commandOf(settings, launch)
    return { file, path: envOf(settings, launch)['PATH'] ?? process.env['PATH'] ?? '' }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
