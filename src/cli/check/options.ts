import { DeclarationError } from '../../errors.js'
import { jsonSchema, type Json } from '../../json.js'
import type { HistoryFormat } from '../../history/read.js'
import type { Semantics } from '../../models/model.js'
import type { Limits } from './input.js'

/** The options of `nemesis check` as commander hands them over. */
export interface RawOptions {
  readonly model?: string
  readonly checker?: string
  readonly level?: string
  readonly format?: HistoryFormat
  readonly init?: string
  readonly nullRead?: Semantics['nullRead']
  readonly failed?: Semantics['failed']
  readonly timeout: string
  readonly maxMemory?: string
  readonly audit?: string
  readonly mutants?: string
  /** True when no file was named. */
  readonly minimise?: string | true
  readonly index?: string
  readonly json?: boolean
}

/** What to check. */
export type CheckRequest =
  | { readonly kind: 'index'; readonly index: string; readonly limits: Limits; readonly json: boolean }
  | {
      readonly kind: 'files'
      readonly files: readonly string[]
      readonly model: string
      readonly checker: string
      readonly format: HistoryFormat | undefined
      readonly semantics: Partial<Semantics>
      /** What the system itself recorded of the same run. */
      readonly audit: string | undefined
      /** How many mutants of a history that holds the checker is asked about; none when undefined. */
      readonly mutants: number | undefined
      /** Whether a violation is made small, and the file that its core goes to. */
      readonly minimise: { readonly file: string | null } | undefined
      readonly limits: Limits
      readonly json: boolean
    }

/** Reads a command line. Throws DeclarationError that names the option and what it takes. */
export function readRequest(files: readonly string[], raw: RawOptions): CheckRequest {
  const limits = readLimits(raw)
  const json = raw.json ?? false
  if (raw.index !== undefined) {
    const given = (
      [
        'model',
        'checker',
        'level',
        'format',
        'init',
        'nullRead',
        'failed',
        'audit',
        'mutants',
        'minimise',
      ] as const
    ).some((name) => raw[name] !== undefined)
    if (files.length > 0 || given) {
      throw new DeclarationError('index', '--index names the files, models and semantics by itself', {
        hint: 'leave out the files, --model, --checker, --level, --format, --init, --null-read, --failed, --audit, --mutants and --minimise',
      })
    }
    return { kind: 'index', index: raw.index, limits, json }
  }
  if (files.length === 0) {
    throw new DeclarationError('files', 'no history was given', {
      hint: 'nemesis check FILE... --model register',
    })
  }
  if (raw.audit !== undefined && files.length > 1) {
    throw new DeclarationError('audit', '--audit goes with one history', {
      hint: 'nemesis check history.ndjson --audit server.ndjson --model register',
    })
  }
  if (typeof raw.minimise === 'string' && files.length > 1) {
    throw new DeclarationError('minimise', '--minimise with a file goes with one history', {
      hint: 'nemesis check history.ndjson --model register --minimise core.ndjson',
    })
  }
  if (raw.model === undefined) {
    throw new DeclarationError('model', '--model is missing: say what the object is', {
      hint: '--model register',
    })
  }
  const semantics = {
    ...(raw.init === undefined ? {} : { init: readInit(raw.init) }),
    ...(raw.nullRead === undefined ? {} : { nullRead: raw.nullRead }),
    ...(raw.failed === undefined ? {} : { failed: raw.failed }),
  }
  return {
    kind: 'files',
    files,
    model: raw.model,
    checker: checkerFor(raw),
    format: raw.format,
    semantics,
    audit: raw.audit,
    mutants: readMutants(raw),
    minimise: raw.minimise === undefined ? undefined : { file: raw.minimise === true ? null : raw.minimise },
    limits,
    json,
  }
}

/** A level that one checker alone judges is known by that checker's name. */
function checkerFor({ checker, level }: RawOptions): string {
  if (checker !== undefined && level !== undefined && checker !== level) {
    throw new DeclarationError(
      'level',
      `--level ${level}: the checker ${checker} judges no levels but its own`,
      {
        hint: `--checker ${checker} alone, or --level ${level} alone`,
      },
    )
  }
  return checker ?? level ?? 'linearizable'
}

function readLimits({ timeout, maxMemory }: RawOptions): Limits {
  const timeoutMs = Number(timeout) * 1_000
  if (!(timeoutMs > 0) || !Number.isFinite(timeoutMs)) {
    throw new DeclarationError('timeout', `--timeout: ${JSON.stringify(timeout)} is not a number of seconds`)
  }
  if (maxMemory === undefined) return { timeoutMs, memoryMb: undefined }
  const memoryMb = Number(maxMemory)
  if (!(memoryMb > 0) || !Number.isFinite(memoryMb)) {
    throw new DeclarationError(
      'max-memory',
      `--max-memory: ${JSON.stringify(maxMemory)} is not a number of megabytes`,
      { hint: 'such as --max-memory 1500, for the whole process' },
    )
  }
  return { timeoutMs, memoryMb }
}

function readMutants({ mutants }: RawOptions): number | undefined {
  if (mutants === undefined) return undefined
  const count = Number(mutants)
  if (Number.isInteger(count) && count > 0) return count
  throw new DeclarationError('mutants', `--mutants: ${JSON.stringify(mutants)} is not a number of mutants`, {
    hint: 'such as --mutants 20',
  })
}

function readInit(text: string): Json {
  try {
    return jsonSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new DeclarationError('init', `--init: ${JSON.stringify(text)} is not JSON`, {
      hint: `such as --init 0, --init null or --init '"text"'`,
      cause: error,
    })
  }
}
