// Checks what a coding agent has made by the skills: a plan, a session, its answer, the repository it worked on. Needs
// `npm run build` before; see evals/README.md.
//
//   node scripts/evals.mjs [--eval ID] [--plan FILE] [--session DIR] [--answer FILE] [--repository DIR] [--json]
//   node scripts/evals.mjs --list
//
// Without --eval, what every plan and session must have. Exit 1 when a property does not hold, 2 for what cannot be used.
import { readdir, readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'

const kinds = ['plan', 'session', 'answer', 'repository']

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`evals: ${error.summary ?? error.message}\n`)
  process.exitCode = 2
}

async function main() {
  const { values } = parseArgs({
    options: {
      eval: { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      ...Object.fromEntries(kinds.map((kind) => [kind, { type: 'string' }])),
    },
  })
  const { always, evals } = await readEvals()
  if (values.list) {
    for (const { id, prompt } of evals) console.log(`${id.padEnd(28)} ${prompt}`)
    return 0
  }
  const chosen = values.eval === undefined ? null : evals.find(({ id }) => id === values.eval)
  if (chosen === undefined) throw new Error(`there is no eval ${values.eval}; --list shows them`)
  const expected = chosen?.expect ?? always
  const given = kinds.filter((kind) => values[kind] !== undefined)
  if (given.length === 0)
    throw new Error(`give at least one of ${kinds.map((kind) => `--${kind}`).join(', ')}`)
  const missing = chosen === null ? [] : Object.keys(expected).filter((kind) => !given.includes(kind))
  if (missing.length > 0)
    throw new Error(`${chosen.id} needs ${missing.map((kind) => `--${kind}`).join(', ')} as well`)

  const results = []
  for (const kind of given) {
    const { subjectOf, properties } = await import(`../evals/checks/${kind}.mjs`)
    const subject = await subjectOf(values[kind], values)
    for (const property of propertiesFor(kind, chosen, always)) {
      const check = properties[property.kind]
      if (check === undefined) throw new Error(`there is no property ${property.kind} of a ${kind}`)
      results.push({ of: kind, property, problems: await check(subject, property) })
    }
  }
  tell(results, values.json)
  return results.every(({ problems }) => problems.length === 0) ? 0 : 1
}

/** What an eval asks stands for what is always asked, kind by kind of property. */
function propertiesFor(of, chosen, always) {
  const own = chosen?.expect[of] ?? []
  const rest = (always[of] ?? []).filter(({ kind }) => !own.some((one) => one.kind === kind))
  return [...rest, ...own]
}

async function readEvals() {
  const folder = new URL('../evals/', import.meta.url)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).toSorted()
  const read = async (file) => JSON.parse(await readFile(new URL(file, folder), 'utf8'))
  const sets = await Promise.all(files.filter((file) => file !== 'always.json').map(read))
  return { always: await read('always.json'), evals: sets.flatMap((set) => set.evals) }
}

function tell(results, json) {
  if (json) {
    for (const result of results) console.log(JSON.stringify(result))
    return
  }
  for (const { of, property, problems } of results) {
    const { kind, because, ...options } = property
    const detail = Object.keys(options).length === 0 ? '' : ` ${JSON.stringify(options)}`
    console.log(
      `${problems.length === 0 ? 'holds ' : 'FAILS '} ${of} ${kind}${detail}${because ? `: ${because}` : ''}`,
    )
    for (const problem of problems) console.log(`         ${problem}`)
  }
}
