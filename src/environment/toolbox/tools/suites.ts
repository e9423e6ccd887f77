import { folderOf, shellWord, type Tool } from '../tool.js'

/** Words in the names of folders and files that tell tests of a whole system. */
const whole =
  /^(?:integrations?|chaos|e2e|soak|stress|robustness|failpoints?|jepsen|faults?|torture|fuzz(?:ing)?|simulation|antithesis|functional|resilience|linearizability|nemesis|crash|recovery)$/i

const code = /\.(?:go|rs|py|java|kt|[cm]?[jt]sx?|sh|clj|ya?ml)$/

/** Folders and files of tests of the whole system: integration, end to end, chaos, soak. The outermost folder stands for all below. */
export function suites(files: readonly string[]): Tool[] {
  const found = new Map<string, Tool>()
  for (const file of files) {
    if (!code.test(file) || file.startsWith('.')) continue
    const parts = file.split('/')
    const index = parts.findIndex((part) => part.split(/[-_.]/).some((word) => whole.test(word)))
    if (index === -1 || !isTested(parts, index)) continue
    const path = parts.slice(0, index + 1).join('/')
    if (!found.has(path)) found.set(path, suiteOf(path, files))
  }
  return [...found.values()]
}

/** Code of the system may be called so as well: a suite lies in the root or below a folder of tests, or holds a test. */
function isTested(parts: readonly string[], index: number): boolean {
  const isBelowTests = parts.slice(0, index).some((part) => /^(?:tests?|__tests__|spec)$/.test(part))
  const isFolder = index < parts.length - 1
  return isBelowTests || (isFolder && index === 0) || isTestName(parts.at(-1) ?? '')
}

function isTestName(name: string): boolean {
  return /_test\.go$|^test_.*\.py$|\.(?:test|spec|scenario)\.[cm]?[jt]sx?$/.test(name)
}

function suiteOf(path: string, files: readonly string[]): Tool {
  const hasGoTests = files.some((file) => file.startsWith(`${path}/`) && file.endsWith('_test.go'))
  return {
    kind: 'suite',
    name: path.slice(path.lastIndexOf('/') + 1),
    command: hasGoTests ? goTest(path, files) : null,
    file: path,
  }
}

/** Tests of a module are run in the folder of its `go.mod`. */
function goTest(path: string, files: readonly string[]): string {
  let module = path
  while (module !== '' && !files.includes(`${module}/go.mod`)) module = folderOf(module)
  const within = module === '' ? path : path.slice(module.length + 1)
  const packages = shellWord(within === '' ? './...' : `./${within}/...`)
  return module === '' ? `go test ${packages}` : `go -C ${shellWord(module)} test ${packages}`
}
