import type { Found, TestParser } from './test-case.js'

/** A parser for a language in which one pattern, whose first group is the name, tells a test. */
function byPattern(framework: string, file: RegExp, pattern: RegExp): TestParser {
  return {
    matches: (path) => file.test(path),
    parse: (_, text) => ({
      framework,
      tests: [...text.matchAll(pattern)].map((match): Found => {
        const name = match.slice(1).find((group) => group !== undefined) ?? ''
        return { name, index: match.index + match[0].lastIndexOf(name) }
      }),
    }),
  }
}

export const goTests = byPattern('go test', /_test\.go$/, /^func ((?:Test|Fuzz)(?!Main\b)[A-Z_]\w*|Test)\(/gm)

/** An attribute whose last word is `test`, such as `#[tokio::test]`, with other attributes before the function. */
export const cargoTests = byPattern(
  'cargo test',
  /\.rs$/,
  /#\[(?:\w+::)*(?:test|test_case|rstest)(?:\([^\]]*\))?\]\s*(?:(?:#\[[^\]]*\]|\/\/[^\n]*)\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/g,
)

export const pytestTests = byPattern(
  'pytest',
  /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/,
  /^[ \t]*(?:async[ \t]+)?def[ \t]+(test_\w+)[ \t]*\(/gm,
)

export const junitTests = byPattern(
  'JUnit',
  /\.(?:java|kt)$/,
  /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b(?:\([^)]*\))?\s*(?:@\w+(?:\([^)]*\))?\s*)*(?:(?:public|private|protected|internal|static|final|suspend)\s+)*(?:(?:void|fun|[A-Z][\w<>]*)\s+)(?:`([^`\n]+)`|(\w+))\s*\(/g,
)
