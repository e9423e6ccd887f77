import { readProject, type Project } from './project.js'
import { baseOf, toolKinds, type Tool, type ToolParser } from './tool.js'
import { composeFiles } from './tools/compose-files.js'
import { operatorDocuments } from './tools/documents.js'
import { justRecipes } from './tools/just-recipes.js'
import { isLayoutFile, layouts } from './tools/layouts.js'
import { makeTargets } from './tools/make-targets.js'
import { packageScripts } from './tools/package-scripts.js'
import { suites } from './tools/suites.js'
import { taskfileTasks } from './tools/taskfile.js'
import { workflows } from './tools/workflows.js'
import { xtaskCommands } from './tools/xtask.js'

const parsers: readonly ToolParser[] = [
  makeTargets,
  justRecipes,
  taskfileTasks,
  xtaskCommands,
  composeFiles,
  operatorDocuments,
  workflows,
]

/** What a repository offers for testing and operating its system, by kind, in the order of its files. */
export function toolboxOf({ files, texts }: Pick<Project, 'files' | 'texts'>): Tool[] {
  const parsed = [...texts].flatMap(([file, text]) =>
    parsers.filter((parser) => parser.matches(file)).flatMap((parser) => parser.parse(file, text)),
  )
  const tools = [...packageScripts(files, texts), ...parsed, ...layouts(files, texts), ...suites(files)]
  return tools.toSorted((one, other) => toolKinds.indexOf(one.kind) - toolKinds.indexOf(other.kind))
}

/** True for a file whose text says something about the toolbox. */
export function isToolFile(file: string): boolean {
  return (
    baseOf(file) === 'package.json' || isLayoutFile(file) || parsers.some((parser) => parser.matches(file))
  )
}

/** The toolbox of the repository at `root`: its files are listed, and only those that tell of tools are read. */
export async function discoverToolbox(root: string): Promise<Tool[]> {
  return toolboxOf(await readProject(root, isToolFile))
}
