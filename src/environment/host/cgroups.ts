import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'

export type ReadText = (path: string) => Promise<string>

const root = '/sys/fs/cgroup'

/**
 * The files of a name in our control group and those above it, of a controller: `cpu.stat` of `cpu`. By version 2, and
 * where the controller belongs to version 1 by that. What does not exist is left out.
 */
export async function cgroupFiles(
  { controller, file }: { readonly controller: string; readonly file: string },
  read: ReadText = readText,
): Promise<string[]> {
  const groups = (await read('/proc/self/cgroup'))
    .trim()
    .split('\n')
    .map((line) => /^[^:]*:([^:]*):(.*)$/.exec(line) ?? [])
  const found: string[] = []
  for (const [, controllers = '', path = '/'] of groups) {
    const mounts =
      controllers === ''
        ? [root]
        : controllers.split(',').includes(controller)
          ? [`${root}/${controllers}`, `${root}/${controller}`]
          : []
    for (const mount of new Set(mounts)) {
      for (let group = path; ; group = posix.dirname(group)) {
        const candidate = posix.join(mount, group, file)
        // A path that is another container's view of the groups, or a controller that is not enabled there.
        const exists = await read(candidate).then(
          () => true,
          () => false,
        )
        if (exists && !found.includes(candidate)) found.push(candidate)
        if (group === '/' || group === '.') break
      }
    }
  }
  return found
}

/** Milliseconds in `cpu.stat` of either version that the group was throttled; 0 for a group without a quota. */
export function throttledMsOf(stat: string): number {
  const usec = fieldOf(stat, 'throttled_usec')
  return usec === null ? (fieldOf(stat, 'throttled_time') ?? 0) / 1e6 : usec / 1e3
}

/** The number after a name at the beginning of a line; null without one. */
export function fieldOf(text: string, name: string): number | null {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)
  return found === null ? null : Number(found[1])
}

export function readText(path: string): Promise<string> {
  return readFile(path, 'utf8')
}
