import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { SessionError } from '../../errors.js'
import { answerSchema, requestVariable, type Answer, type Request } from '../../scenario/request.js'
import type { ScenarioRecord } from '../../session/record.js'
import { rootOf } from './root.js'

/** The scenario to run, as recorded. */
export type Target = Pick<ScenarioRecord, 'name' | 'location'>

export interface VitestOptions {
  /** A folder in the project, such as the session. */
  readonly from: string
  readonly target: Target
  readonly env: Readonly<Record<string, string>>
}

/**
 * Runs one scenario through Vitest, with the config of its project, and resolves to Vitest's exit code. Ctrl-C is left to
 * Vitest, which heals and records before it ends. Throws SessionError where there is no Vitest.
 */
export async function runVitest({ from, target, env }: VitestOptions): Promise<number> {
  const [file = ''] = (target.location ?? '').split(':')
  const root = file === '' ? null : rootOf(from, file)
  const stay = () => undefined
  process.on('SIGINT', stay)
  try {
    const { exitCode, code } = await execa(
      'vitest',
      [
        'run',
        ...(root === null ? [] : ['--root', root]),
        ...(file === '' ? [] : [file]),
        '-t',
        escapePattern(target.name),
      ],
      { preferLocal: true, stdio: 'inherit', reject: false, env },
    )
    if (code === 'ENOENT') {
      throw new SessionError('no-vitest', `there is no command 'vitest' in ${process.cwd()}`, {
        hint: 'go to the project in which vitest is installed',
      })
    }
    return exitCode ?? 1
  } finally {
    process.off('SIGINT', stay)
  }
}

/** A request without the file for its answer. */
export type Asked = Request extends infer Kind ? (Kind extends Request ? Omit<Kind, 'answer'> : never) : never

/**
 * Has a worker of Vitest answer a request. Throws SessionError when it gave no answer, as when Vitest did not find the
 * scenario, or when the scenario's file is not there.
 */
export async function askVitest(asked: Asked, options: VitestOptions): Promise<Answer> {
  requireFile(options)
  const folder = await mkdtemp(join(tmpdir(), 'nemesis-request-'))
  const answer = join(folder, 'answer.json')
  try {
    const request: Request = { ...asked, answer }
    const env = { ...options.env, [requestVariable]: JSON.stringify(request) }
    const exitCode = await runVitest({ ...options, env })
    if (existsSync(answer)) return answerSchema.parse(JSON.parse(await readFile(answer, 'utf8')))
    throw new SessionError(
      'no-answer',
      `Vitest ended with ${exitCode} and did not run '${options.target.name}'`,
      {
        hint: 'read what it printed above: the scenario may have been renamed, or its config does not include its file',
      },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Vitest would look for the scenario in every file that it finds from here. */
function requireFile({ from, target }: VitestOptions): void {
  const [file = ''] = (target.location ?? '').split(':')
  if (file !== '' && rootOf(from, file) !== null) return
  throw new SessionError(
    'moved',
    `${file || 'the file'} of '${target.name}' is in no folder above ${resolve(from)}`,
    {
      hint: 'sessions and reproducers are run again where they are in the project; move it back',
    },
  )
}

/** Vitest's -t takes a regular expression. Versions join a scenario and its arm in different ways. */
function escapePattern(name: string): string {
  return `${name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`
}
