import { isDocument } from '../documents.js'
import type { ToolParser } from '../tool.js'

const operations =
  /(?:^|[/_.-])(?:runbooks?|playbooks?|operations?|ops|op-guide|admin[_-]?guide|oncall|on-call|incident|disaster|recovery|maintenance|failures?|troubleshooting|upgrad(?:e|es|ing))(?=[/_.-]|$)/i

/** Runbooks and documents for operators: what may go wrong stands there. */
export const operatorDocuments: ToolParser = {
  matches: (file) => isDocument(file) && operations.test(file),
  parse: (file, text) => {
    const title = /^(?:#+|=+)\s+(.+)$/m.exec(text)?.[1]?.trim()
    return [{ kind: 'document', name: title ?? file, command: null, file }]
  },
}
