import { SystemError } from '../../../errors.js'

/**
 * Reads the engine's answer to an import or a build to its end. The engine answers 200 first and reports failures as
 * JSON lines after that; throws SystemError with the last lines of the output when there is one.
 */
export async function answerOf(stream: NodeJS.ReadableStream, doing: string): Promise<void> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const printed: string[] = []
  for (const line of lines) {
    const message = parsed(line)
    if (typeof message.stream === 'string') printed.push(message.stream)
    if (typeof message.error === 'string') {
      const output = printed.join('').trimEnd().split('\n').slice(-15).join('\n')
      throw new SystemError('docker-image', `${doing} failed: ${message.error}\n${output}`)
    }
  }
}

function parsed(line: string): { stream?: unknown; error?: unknown } {
  try {
    return Object(JSON.parse(line))
  } catch {
    // Not every line of the engine's answer has to be JSON; what is not carries no error either.
    return {}
  }
}
