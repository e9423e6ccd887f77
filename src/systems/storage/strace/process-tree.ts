import { readdir, readFile } from 'node:fs/promises'

/** A process and all that descend from it, the ancestor first. Empty when it is gone. */
export async function processTree(root: number): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = new Map(await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const)))
  if ((parents.get(root) ?? null) === null) return []
  const tree = [root]
  for (const member of tree) {
    for (const [pid, parent] of parents) if (parent === member) tree.push(pid)
  }
  return tree
}

/** Null for a process that is gone, or has ended and waits to be reaped. */
async function parentOf(pid: number): Promise<number | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    // proc(5): after the command in parentheses come state and parent.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : Number(parent)
  } catch {
    // Gone by now.
    return null
  }
}

/** The process that traces another one; 0 for none, null when it is gone. */
export async function tracerOf(pid: number): Promise<number | null> {
  try {
    return Number(/^TracerPid:\s*(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0)
  } catch {
    // Gone by now.
    return null
  }
}
