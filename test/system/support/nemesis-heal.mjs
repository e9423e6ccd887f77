import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const healWithinMs = 120_000

/** Runs `nemesis heal` as a user would; resolves to what it said, with its exit code, whatever that is. */
export async function nemesisHeal({ node = process.execPath, nemesis, directory }, env) {
  const options = { env, cwd: directory, timeout: healWithinMs }
  const { code, stdout, stderr } = await run(node, [nemesis, 'heal'], options).catch((error) => error)
  return `exit code ${code ?? 0}: ${`${stdout}${stderr}`.trim()}`
}
