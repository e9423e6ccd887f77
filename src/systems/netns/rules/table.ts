import { CommandFailed, type NamespaceExec } from '../exec.js'

/** True when the namespace holds the table. */
export async function hasTable(entry: NamespaceExec, id: string, table: string): Promise<boolean> {
  const listed = JSON.parse(await entry.run(id, ['nft', '-j', 'list', 'tables'])) as {
    nftables: readonly { table?: { family: string; name: string } }[]
  }
  return listed.nftables.some((item) => item.table?.family === 'inet' && item.table.name === table)
}

/** Deletes the table with all that is in it. One that is gone counts as deleted. */
export async function deleteTable(entry: NamespaceExec, id: string, table: string): Promise<void> {
  try {
    await entry.run(id, ['nft', 'delete', 'table', 'inet', table])
  } catch (error) {
    if (!isNoSuchTable(error)) throw error
  }
}

function isNoSuchTable(error: unknown): boolean {
  return error instanceof CommandFailed && error.stderr.includes('No such file or directory')
}

/** Packets that each named counter of the table has seen; null when there is no such table. */
export async function readCounters(
  entry: NamespaceExec,
  id: string,
  table: string,
): Promise<ReadonlyMap<string, number> | null> {
  const printed = await entry
    .run(id, ['nft', '-j', 'list', 'counters', 'table', 'inet', table])
    .catch((error: unknown) => {
      if (isNoSuchTable(error)) return null
      throw error
    })
  if (printed === null) return null
  const listed = JSON.parse(printed) as {
    nftables: readonly { counter?: { name: string; packets: number } }[]
  }
  return new Map(
    listed.nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter.packets] as const] : [])),
  )
}
