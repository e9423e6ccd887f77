import type { Tool } from '../../../environment/toolbox/tool.js'
import type { TestCase } from '../../../environment/toolbox/inventory/test-case.js'
import type { Trivial } from './triviality.js'

/** Names of tools that do what is enough for a change of a kind, the best first. */
const fitting: Readonly<Record<Trivial, readonly RegExp[]>> = {
  documents: [
    /^docs?(?:[:-](?:build|check|lint|test))?$/i,
    /^(?:lint|check)[:-](?:docs|md|markdown|links)$/i,
  ],
  comments: [/^lint$/i, /^(?:check|verify|fmt|format|clippy)\b/i],
  imports: [/^(?:typecheck|type-check|check|build|compile)$/i, /^(?:lint|clippy|vet|verify)\b/i],
  typos: [/^(?:test|unit|test[:-]unit|unit-test|check)$/i],
}

const byHand: Readonly<Record<Trivial, string>> = {
  documents: 'read the documents as they are rendered, and follow their links',
  comments: 'run the linter and the formatter of the project',
  imports: 'build the project and check its types: an import that is missing shows there',
  typos: 'run the unit tests that compare the messages',
}

/** What to run instead of a distributed test: a tool of the repository where one fits, and the tests near the change. */
export function lighterTests(
  reasons: readonly Trivial[],
  { toolbox, near }: { readonly toolbox: readonly Tool[]; readonly near: readonly TestCase[] },
): string[] {
  const runs = reasons.flatMap((reason) => {
    const tools = fitting[reason].flatMap((words) =>
      toolbox.filter(({ name, command }) => command !== null && words.test(name)).slice(0, 1),
    )
    const [tool] = tools
    return tool?.command ? [`${tool.command} (${tool.file})`] : [byHand[reason]]
  })
  const isCode = reasons.some((reason) => reason !== 'documents')
  const files = isCode ? [...new Set(near.map(({ file }) => file))].slice(0, 5) : []
  return [...new Set([...runs, ...files.map((file) => `the tests in ${file}`)])]
}
