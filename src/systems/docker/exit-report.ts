import type { Engine } from './engine.js'
import { lastLines } from './logs.js'
import type { DockerNode } from './node.js'

/** What is known of a container that has ended: image, exit code, the last lines that it printed. */
export async function exitReport(
  engine: Engine,
  { id, name }: Pick<DockerNode, 'id' | 'name'>,
): Promise<string> {
  const { State: state, Config: config } = await engine.getContainer(id).inspect()
  const printed = await lastLines(engine, id, 20)
  const why = state.OOMKilled ? ', out of memory' : state.Error === '' ? '' : `, ${state.Error}`
  const output = printed === '' ? 'it printed nothing' : `the last it printed:\n${printed}`
  return `${name} (image ${config.Image}) exited with code ${state.ExitCode}${why}; ${output}`
}
