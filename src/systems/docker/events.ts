import { messageOf } from '../../errors.js'
import type { Engine } from './engine.js'
import { splitLines } from '../netns/exec.js'

/** One of the containers was started, ended, and so on, whoever did it. */
export interface ContainerEvent {
  readonly action: string
  /** The container's id. */
  readonly id: string
}

/** Tells what happens to the containers, given by id, until it is closed. */
export async function watchEvents(
  engine: Engine,
  containers: readonly string[],
  listener: (event: ContainerEvent) => void,
): Promise<{ close(): void }> {
  const stream = await engine.getEvents({
    filters: JSON.stringify({ type: ['container'], event: ['start', 'die'], container: containers }),
  })
  stream.on(
    'data',
    splitLines((line) => {
      const event = JSON.parse(line) as { Action: string; Actor: { ID: string } }
      listener({ action: event.Action, id: event.Actor.ID })
    }),
  )
  let closed = false
  stream.on('error', (error) => {
    if (!closed) process.emitWarning(`the engine's events ended: ${messageOf(error)}`, 'NemesisWarning')
  })
  return {
    close() {
      closed = true
      ;(stream as NodeJS.ReadableStream & { destroy(): void }).destroy()
    },
  }
}
