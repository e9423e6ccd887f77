import { javascriptTests } from './javascript.js'
import { cargoTests, goTests, junitTests, pytestTests } from './languages.js'
import { subsystemOf, type TestCase, type TestParser } from './test-case.js'

/** The tests in files that were read, in the order of the files. A test is known by how it is written, not by running it. */
export function inventoryOf(texts: ReadonlyMap<string, string>): TestCase[] {
  const parsers: readonly TestParser[] = [
    javascriptTests(texts),
    goTests,
    cargoTests,
    pytestTests,
    junitTests,
  ]
  return [...texts].flatMap(([file, text]) => {
    const parser = parsers.find((one) => one.matches(file))
    if (parser === undefined) return []
    const { framework, tests } = parser.parse(file, text)
    const subsystem = subsystemOf(file)
    return tests.map(({ name, index }) => ({ framework, file, line: lineAt(text, index), name, subsystem }))
  })
}

function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
