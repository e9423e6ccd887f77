import { shellWord, type ToolParser } from '../tool.js'
import { keysBelow, yamlOf } from '../yaml-of.js'

/** Compose files with their services. */
export const composeFiles: ToolParser = {
  matches: (file) => /(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]+)?\.ya?ml$/.test(file),
  parse: (file, text) => {
    const services = keysBelow(yamlOf(text), 'services')
    return [
      {
        kind: 'compose',
        name: services.length === 0 ? 'services that could not be read' : services.join(', '),
        command: `docker compose -f ${shellWord(file)} up -d`,
        file,
      },
    ]
  },
}
