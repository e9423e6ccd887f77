import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { sessionLayout } from './layout.js'

/** Keeps the plan as it is now with the session, so that a report can be made anywhere. False when there is no such file. */
export async function keepPlan(directory: string, file: string): Promise<boolean> {
  if (!existsSync(file)) return false
  await copyFile(file, sessionLayout(directory).plan)
  return true
}

/** The text of the plan as it was when the session started; null when there was none. */
export async function readKeptPlan(directory: string): Promise<string | null> {
  const { plan } = sessionLayout(directory)
  return existsSync(plan) ? readFile(plan, 'utf8') : null
}
