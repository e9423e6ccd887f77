import { statusOf, type Engine } from '../engine.js'

/** True when the engine has an image of this name. */
export async function hasImage(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.getImage(name).inspect()
    return true
  } catch (error) {
    if (statusOf(error) === 404) return false
    throw error
  }
}
