import { DeclarationError } from '../../errors.js'
import { jsonSchema, type Json } from '../../json.js'
import type { Semantics } from '../../models/model.js'

/** The options of `nemesis check` as commander hands them over. */
export interface RawOptions {
  readonly model?: string
  readonly checker?: string
  readonly init?: string
  readonly nullRead?: Semantics['nullRead']
  readonly failed?: Semantics['failed']
  readonly timeout: string
  readonly index?: string
  readonly json?: boolean
}

/** What to check. */
export type CheckRequest =
  | { readonly kind: 'index'; readonly index: string; readonly timeoutMs: number; readonly json: boolean }
  | {
      readonly kind: 'files'
      readonly files: readonly string[]
      readonly model: string
      readonly checker: string
      readonly semantics: Partial<Semantics>
      readonly timeoutMs: number
      readonly json: boolean
    }

/** Reads a command line. Throws DeclarationError that names the option and what it takes. */
export function readRequest(files: readonly string[], raw: RawOptions): CheckRequest {
  const timeoutMs = Number(raw.timeout) * 1_000
  if (!(timeoutMs > 0) || !Number.isFinite(timeoutMs)) {
    throw new DeclarationError(
      'timeout',
      `--timeout: ${JSON.stringify(raw.timeout)} is not a number of seconds`,
    )
  }
  const json = raw.json ?? false
  if (raw.index !== undefined) {
    const given = (['model', 'checker', 'init', 'nullRead', 'failed'] as const).some(
      (name) => raw[name] !== undefined,
    )
    if (files.length > 0 || given) {
      throw new DeclarationError('index', '--index names the files, models and semantics by itself', {
        hint: 'leave out the files, --model, --checker, --init, --null-read and --failed',
      })
    }
    return { kind: 'index', index: raw.index, timeoutMs, json }
  }
  if (files.length === 0) {
    throw new DeclarationError('files', 'no history was given', {
      hint: 'nemesis check FILE... --model register',
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
    checker: raw.checker ?? 'linearizable',
    semantics,
    timeoutMs,
    json,
  }
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
