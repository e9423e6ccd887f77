import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basesNow } from './bases.js'
import { skewedBy } from './change.js'
import { planReplacement } from './replacement.js'
import { replaceBelow, restoreTagged } from './replace.js'
import { ownVdso } from './vdso.js'

const hourMs = 3_600_000

/** Changes the clock of a child and sets it right again. Throws a NemesisError when that does not work here. */
export async function tryClocks(): Promise<void> {
  // It waits for an input that ends with this process, so it needs no undo.
  const child = spawn('cat', [], { stdio: ['pipe', 'ignore', 'ignore'], env: {} })
  await once(child, 'spawn')
  try {
    const replacement = planReplacement(ownVdso(), skewedBy(hourMs))
    await replaceBelow(child.pid as number, replacement, () => basesNow(false))
    await restoreTagged(replacement)
  } finally {
    child.kill('SIGKILL')
  }
}
