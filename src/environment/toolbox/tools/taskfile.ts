import { baseOf, folderOf, shellWord, type ToolParser } from '../tool.js'
import { isMapping, keysBelow, yamlOf } from '../yaml-of.js'

/** The tasks of Taskfiles; internal ones are left out. */
export const taskfileTasks: ToolParser = {
  matches: (file) => /^[Tt]askfile(?:\.dist)?\.ya?ml$/.test(baseOf(file)),
  parse: (file, text) => {
    const data = yamlOf(text)
    const tasks = isMapping(data) && isMapping(data['tasks']) ? data['tasks'] : {}
    const folder = folderOf(file)
    return keysBelow(data, 'tasks')
      .filter((name) => !isMapping(tasks[name]) || tasks[name]['internal'] !== true)
      .map((name) => ({
        kind: 'task',
        name,
        command: `${folder === '' ? 'task' : `task --dir ${shellWord(folder)}`} ${shellWord(name)}`,
        file,
      }))
  },
}
