import { messageOf } from '../../errors.js'
import { runLabel, type Engine } from './engine.js'
import { splitLines } from './namespace/exec.js'

/** A container of the run was started, ended, and so on, whoever did it. */
export interface ContainerEvent {
  readonly action: string
  /** The container's id. */
  readonly id: string
}

/** Tells what happens to the containers of a run until it is closed. */
export async function watchEvents(
  engine: Engine,
  run: string,
  listener: (event: ContainerEvent) => void,
): Promise<{ close(): void }> {
  const stream = await engine.getEvents({
    filters: JSON.stringify({ type: ['container'], event: ['start', 'die'], label: [`${runLabel}=${run}`] }),
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
