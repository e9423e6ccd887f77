import { readManifest } from '../manifest.js'
import { folderOf } from '../tool.js'
import type { Found, TestParser } from './test-case.js'

const script = /\.[cm]?[jt]sx?$/
const testName = /\.(?:test|spec|scenario)\.[cm]?[jt]sx?$/
const testFolder = /(?:^|\/)(?:tests?|__tests__|specs?)\//

/** A call of a test function with its name; `.skip` and `.todo` test nothing. */
const call =
  /(?:^|[^\w.$])(?:test|it|scenario|specify)((?:\.\w+(?:\([^()]*\))?)*)\(\s*(['"`])((?:\\.|(?!\2)[^\\\n])*)\2/g

const imported: readonly (readonly [framework: string, words: RegExp])[] = [
  ['node:test', /(?:from|require\()\s*['"]node:test['"]/],
  ['vitest', /(?:from|require\()\s*['"](?:vitest|vitest-nemesis)['"]/],
  ['jest', /(?:from|require\()\s*['"]@jest\/globals['"]/],
  ['mocha', /(?:from|require\()\s*['"]mocha['"]/],
]

const declared = ['vitest', 'jest', 'mocha'] as const

/** Tests in JavaScript and TypeScript; the framework is the one that a file imports, or that the nearest manifest names. */
export function javascriptTests(texts: ReadonlyMap<string, string>): TestParser {
  return {
    matches: (file) =>
      script.test(file) && !file.endsWith('.d.ts') && (testName.test(file) || testFolder.test(file)),
    parse: (file, text) => ({
      framework:
        imported.find(([, words]) => words.test(text))?.[0] ??
        frameworkOfPackage(folderOf(file), texts) ??
        'unknown (JavaScript)',
      tests: [...text.matchAll(call)].flatMap((match): Found[] => {
        const [, modifiers = '', , name = ''] = match
        if (/\.(?:skip|todo)\b/.test(modifiers) || name === '') return []
        return [{ name, index: match.index + (/^\w/.test(match[0]) ? 0 : 1) }]
      }),
    }),
  }
}

function frameworkOfPackage(folder: string, texts: ReadonlyMap<string, string>): string | null {
  const text = texts.get(folder === '' ? 'package.json' : `${folder}/package.json`)
  if (text !== undefined) {
    const { scripts, dependencies, devDependencies } = readManifest(text)
    const found = declared.find((name) => name in devDependencies || name in dependencies)
    if (found !== undefined) return found
    if (Object.values(scripts).some((line) => /\bnode\b.*--test\b/.test(String(line)))) return 'node:test'
  }
  return folder === '' ? null : frameworkOfPackage(folderOf(folder), texts)
}
