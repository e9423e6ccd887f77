import { baseOf, folderOf, shellWord, type Tool } from '../tool.js'

/** How the tests of a project are run by the usual tool of its language, told from the files that it has. */
export function layouts(files: readonly string[], texts: ReadonlyMap<string, string>): Tool[] {
  const tool = (file: string, name: string, command: string): Tool => ({
    kind: 'layout',
    name,
    command,
    file,
  })
  return files.flatMap((file): Tool[] => {
    const folder = folderOf(file)
    const text = texts.get(file) ?? ''
    switch (baseOf(file)) {
      case 'go.mod': {
        const go = folder === '' ? 'go' : `go -C ${shellWord(folder)}`
        return [
          tool(file, `Go module ${/^module\s+(\S+)/m.exec(text)?.[1] ?? ''}`.trim(), `${go} test ./...`),
        ]
      }
      case 'Cargo.toml': {
        if (/^\[workspace\]/m.test(text)) return [tool(file, 'Cargo workspace', 'cargo test --workspace')]
        return folder === '' ? [tool(file, 'Cargo package', 'cargo test')] : []
      }
      case 'pytest.ini':
        return [tool(file, 'pytest', folder === '' ? 'pytest' : `pytest ${shellWord(folder)}`)]
      case 'pyproject.toml':
        return /^\[tool\.pytest/m.test(text) ? [tool(file, 'pytest', 'pytest')] : []
      case 'pom.xml':
        return folder === '' ? [tool(file, 'Maven', 'mvn test')] : []
      case 'build.gradle':
      case 'build.gradle.kts':
        return folder === ''
          ? [tool(file, 'Gradle', files.includes('gradlew') ? './gradlew test' : 'gradle test')]
          : []
      default:
        return []
    }
  })
}

export function isLayoutFile(file: string): boolean {
  return /(?:^|\/)(?:go\.mod|Cargo\.toml|pytest\.ini|pyproject\.toml|pom\.xml|build\.gradle(?:\.kts)?)$/.test(
    file,
  )
}
