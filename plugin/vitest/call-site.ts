/** Where the user's test file calls us. */
export interface CallSite {
  /** The stack line itself, so that an error can be made to point at it. */
  readonly frame: string
  readonly line: number
  readonly column: number
}

const depth = 30

/** The innermost frame of the test file on the current stack; null when it is not there. */
export function callSite(testFile: string): CallSite | null {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = depth
  const stack = new Error('call site').stack ?? ''
  Error.stackTraceLimit = limit
  const file = testFile.replaceAll('\\', '/')
  for (const frame of stack.split('\n').slice(1)) {
    if (!decoded(frame).includes(file)) continue
    const position = /:(\d+):(\d+)\)?$/.exec(frame)
    if (position !== null) return { frame, line: Number(position[1]), column: Number(position[2]) }
  }
  return null
}

function decoded(frame: string): string {
  const path = frame.replaceAll('\\', '/')
  try {
    return decodeURI(path)
  } catch {
    // A file name with a bare percent sign is no URI; it is a plain path then.
    return path
  }
}
