import type { Nemesis } from '../../nemesis/fault.js'
import { faults as builtIn } from '../../nemesis/faults/index.js'
import { bodyLines, inBrackets, literal } from './body.js'
import { declarationIn, type Declaration } from './declaration.js'
import type { Reproducer } from './reproducer.js'

/** What of a declaration a scenario of its own needs, in this order. */
const keptProperties = ['falsifies', 'system', 'model', 'checkers'] as const

export interface SnippetOptions {
  /** The file that declares the scenario. */
  readonly source: string
  /** The reproducer's faults by their ids, with drawn targets pinned. */
  readonly nemeses: ReadonlyMap<string, Nemesis>
}

/**
 * A reproducer as a scenario to paste below the one that it was made from, whose parts it takes over as they are written
 * there. Null when it cannot be told in code: a declaration that is not written out at the call, a fault with
 * functions or of the user's own, or a body, which is code already.
 */
export function snippetOf(reproducer: Reproducer, { source, nemeses }: SnippetOptions): string | null {
  const { scenario, load } = reproducer
  if (load.kind === 'body') return null
  const [file = '', line = ''] = (scenario.location ?? '').split(':')
  const declaration = declarationIn(source, Number(line))
  const codes = new Map([...nemeses].map(([id, nemesis]) => [id, codeOf(nemesis)]))
  const workload = declaration?.properties.get('workload')
  if (declaration === null || workload === undefined) return null
  const injections = new Map<string, (times: string) => string>()
  for (const [id, code] of codes) {
    if (code === null) return null
    injections.set(id, code)
  }
  const rest =
    load.kind === 'operations'
      ? { options: [], body: bodyLines({ ...reproducer, load }, { workload, injections }) }
      : { options: workloadOptions({ ...reproducer, load }, { workload, injections }), body: null }
  return `${[
    ...header(reproducer, {
      file,
      importsNemesis: /import[^;]*?\bnemesis\b[^;]*?'vitest-nemesis'/.test(source),
    }),
    `${declaration.callee}(${literal(`${scenario.name}, reduced`)}, {`,
    ...options(declaration, `${scenario.id}-reduced`).map(indented),
    ...rest.options.map(indented),
    ...(rest.body === null
      ? ['})']
      : [`}, async ({ ${toolsIn(rest.body)} }) => {`, ...rest.body.map(indented), '})']),
  ].join('\n')}\n`
}

function header(
  { scenario, violation }: Reproducer,
  { file, importsNemesis }: { readonly file: string; readonly importsNemesis: boolean },
): string[] {
  const found = violation.explanation.replaceAll(/\s+/g, ' ')
  return [
    `// ${scenario.id} ${scenario.name}, reduced. ${violation.checker}: ${found}`,
    `// Paste it below that scenario in ${file}, whose imports and constants it uses.`,
    ...(importsNemesis ? [] : ["import { nemesis } from 'vitest-nemesis'"]),
  ]
}

function options({ properties }: Declaration, id: string): string[] {
  const kept = keptProperties.flatMap((name) => {
    const text = properties.get(name)
    return text === undefined ? [] : [`${name}: ${text},`]
  })
  return [`id: ${literal(id)},`, ...kept]
}

function workloadOptions(
  {
    seed,
    faults,
    load,
  }: Reproducer & { readonly load: { readonly kind: 'workload'; clients: number; durationMs: number } },
  { workload, injections }: { workload: string; injections: ReadonlyMap<string, (times: string) => string> },
): string[] {
  const times = faults.map(({ id, atMs, forMs }) =>
    injections.get(id)?.(`, at: ${atMs}${forMs === null ? '' : `, for: ${forMs}`}`),
  )
  return [
    `workload: { spec: { ...${inBrackets(workload)}.spec, clients: ${load.clients} } },`,
    `nemesis: [${times.join(', ')}],`,
    `budget: { smoke: { duration: ${Math.round(load.durationMs)}, nodes: 1, faults: 0, seeds: 1 } },`,
    `seed: ${seed},`,
  ]
}

/** `nemesis('kill', { node: 'n2' })`, with room for times; null when its options cannot be written down. */
function codeOf({ definition, options: given }: Nemesis): ((times: string) => string) | null {
  const known: Readonly<Record<string, unknown>> = builtIn
  if (known[definition.name] !== definition) return null
  const entries = Object.entries((given ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  )
  if (entries.some(([, value]) => !isPlain(value))) return null
  const written = entries.map(([name, value]) => `${name}: ${literal(value)}`).join(', ')
  return (times) => `nemesis(${literal(definition.name)}, { ${`${written}${times}`.replace(/^, /, '')} })`
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain)
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isPlain)
  return ['string', 'number', 'boolean'].includes(typeof value) || value === null
}

/** Those of a body's tools that its lines use. */
function toolsIn(lines: readonly string[]): string {
  const used = (tool: string) => lines.some((line) => new RegExp(`\\b${tool}\\b[(.[]`).test(line))
  return ['nodes', 'clients', 'op', 'inject', 'sleep'].filter(used).join(', ')
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`
}
