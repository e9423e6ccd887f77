import type { Reproducer } from './reproducer.js'

type Scripted = Reproducer & {
  readonly load: Extract<Reproducer['load'], { readonly kind: 'operations' }>
}
type ScriptedOperation = Scripted['load']['operations'][number]

/** Something that begins at its turn: an operation, a fault, a heal. */
interface Step {
  readonly turn: { readonly after: readonly string[]; readonly waitMs: number }
  /** Moments that have come, or are at hand by `await`, once it has begun. */
  readonly marks: readonly string[]
  /** The constant to await for its end; null when it is over once it has begun. */
  readonly ends: string | null
  readonly code: string
}

/** How long a fault without the traffic of a workload is looked at for evidence. */
const landWithin = '1s'

/** A script as the lines of an imperative body, in one order that keeps to every turn. */
export function bodyLines(
  reproducer: Scripted,
  { workload, injections }: { workload: string; injections: ReadonlyMap<string, (times: string) => string> },
): string[] {
  const { faults, load } = reproducer
  const steps: Step[] = [
    ...load.operations.map(operationStep),
    ...faults.flatMap(({ id, turn, heal }): Step[] => [
      {
        turn: turn ?? { after: [], waitMs: 0 },
        marks: [`${id} placed`, `${id} landed`],
        ends: null,
        code: `const ${constant(id)} = await inject(${injections.get(id)?.(`, landWithin: '${landWithin}'`)})`,
      },
      ...(heal === null
        ? []
        : [{ turn: heal, marks: [`${id} healed`], ends: null, code: `await ${constant(id)}.heal()` }]),
    ]),
  ]
  return [
    `const { operations } = ${inBrackets(workload)}.spec`,
    'const at = (name: string) => clients[nodes.findIndex((node) => node.name === name)]!',
    'const seen = () => undefined',
    ...inOrder(steps),
  ]
}

/** An expression of which a property can be taken. */
export function inBrackets(expression: string): string {
  return /^[\w$.]+$/.test(expression) ? expression : `(${expression})`
}

/** A value as source text. */
export function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([name, item]) => `${property(name)}: ${literal(item)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function operationStep({ id, client, node, type, key, value, after, waitMs }: ScriptedOperation): Step {
  const described = [
    `process: ${client}`,
    `node: ${literal(node)}`,
    `type: ${literal(type)}`,
    ...(key === null ? [] : [`key: ${literal(key)}`]),
    ...(value === null ? [] : [`input: ${literal(value)}`]),
  ]
  const run = `operations[${literal(type)}]!.run({ client: at(${literal(node)}), key: ${keyOf(key)}, value: ${literal(value)}, signal, seen })`
  return {
    turn: { after, waitMs },
    marks: [`${id} invoked`],
    ends: constant(id),
    code: `op({ ${described.join(', ')} }, (signal) =>\n    ${run},\n  )`,
  }
}

/** A workload without keys has null where its functions are promised a text. */
function keyOf(key: string | number | null): string {
  return typeof key === 'string' ? literal(key) : `${literal(key)} as never`
}

function inOrder(steps: readonly Step[]): string[] {
  const lines: string[] = []
  const come = new Set<string>()
  const open = new Map<string, number>()
  const end = (name: string) => {
    const begun = open.get(name)
    if (begun === undefined) return
    open.delete(name)
    const code = (lines[begun] ?? '').replace(/^const \w+ = /, 'await ')
    // Nothing has begun meanwhile.
    if (begun === lines.length - 1) lines[begun] = code
    else lines.push(`await ${name}`)
  }
  const left = [...steps]
  while (left.length > 0) {
    const ready = left.findIndex(({ turn }) =>
      turn.after.every((mark) => come.has(mark) || come.has(mark.replace(/ ended$/, ' invoked'))),
    )
    const [step] = left.splice(Math.max(ready, 0), 1) as [Step]
    for (const mark of step.turn.after)
      if (mark.endsWith(' ended')) end(constant(mark.replace(/ ended$/, '')))
    if (step.turn.waitMs > 0) lines.push(`await sleep(${step.turn.waitMs})`)
    lines.push(step.ends === null ? step.code : `const ${step.ends} = ${step.code}`)
    if (step.ends !== null) open.set(step.ends, lines.length - 1)
    for (const mark of step.marks) come.add(mark)
  }
  for (const name of open.keys()) end(name)
  return lines
}

function constant(id: string): string {
  return id.replace(/^F/, 'f')
}
