import { FaultError, messageOf } from '../../errors.js'

/** Takes back what a fault has done before it failed, and throws its error; both errors when that fails as well. */
export async function takeBack(error: unknown, undo: () => Promise<unknown>): Promise<never> {
  try {
    await undo()
  } catch (cause) {
    throw new FaultError('take-back', `${messageOf(error)}; and then: ${messageOf(cause)}`, { cause: error })
  }
  throw error
}
