import type { Socket } from 'node:net'
import type { Progress } from '../../../src/scenario/progress.js'

/** What a worker says to the session host, one JSON object a line. */
export type WorkerMessage =
  | { readonly say: 'turn' }
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

/** Calls back with every message that the other side sends. Both ends are ours, of the same version. */
export function onMessage<Message>(socket: Socket, receive: (message: Message) => void): void {
  let buffered = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (buffered + chunk).split('\n')
    buffered = lines.pop() ?? ''
    for (const line of lines) receive(JSON.parse(line) as Message)
  })
}
