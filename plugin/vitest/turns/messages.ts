import type { Socket } from 'node:net'
import type { Progress } from '../../../src/scenario/runs/progress.js'

/** Where the session host listens. Others on the machine may find the path, so whoever comes must know the secret too. */
export interface HostAddress {
  readonly path: string
  readonly secret: string
}

/** What a worker says to the session host, one JSON object a line. */
export type WorkerMessage =
  | { readonly say: 'turn'; readonly secret: string }
  /** A scenario starts and needs the session directory. `task` is the id of its test. */
  | { readonly say: 'session'; readonly task: string }
  | { readonly say: 'progress'; readonly progress: Progress }

/** What the session host answers. */
export type HostMessage =
  | { readonly say: 'granted' }
  /** The run was cancelled while the worker waited for its turn. */
  | { readonly say: 'dismissed' }
  | { readonly say: 'session'; readonly directory: string }
  | { readonly say: 'failed'; readonly message: string }

export function send(socket: Socket, message: WorkerMessage | HostMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
}

/** Calls back with every message that the other side sends, and hangs up on who speaks something else. */
export function onMessage<Message>(socket: Socket, receive: (message: Message) => void): void {
  let buffered = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (buffered + chunk).split('\n')
    buffered = lines.pop() ?? ''
    for (const line of lines) {
      const message = parse<Message>(line)
      if (message === null) return void socket.destroy()
      receive(message)
    }
  })
}

function parse<Message>(line: string): Message | null {
  try {
    return JSON.parse(line) as Message | null
  } catch {
    // Both ends are ours, of the same version: this one is a stranger.
    return null
  }
}
