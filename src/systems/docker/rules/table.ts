import { CommandFailed, type NamespaceExec } from '../namespace/exec.js'

/** True when the namespace of the container holds the table. */
export async function hasTable(entry: NamespaceExec, container: string, table: string): Promise<boolean> {
  const listed = JSON.parse(await entry.run(container, ['nft', '-j', 'list', 'tables'])) as {
    nftables: readonly { table?: { family: string; name: string } }[]
  }
  return listed.nftables.some((item) => item.table?.family === 'inet' && item.table.name === table)
}

/** Deletes the table with all that is in it. One that is gone counts as deleted. */
export async function deleteTable(entry: NamespaceExec, container: string, table: string): Promise<void> {
  try {
    await entry.run(container, ['nft', 'delete', 'table', 'inet', table])
  } catch (error) {
    if (!(error instanceof CommandFailed && error.stderr.includes('No such file or directory'))) throw error
  }
}

/** Packets that each named counter of the table has seen. */
export async function readCounters(
  entry: NamespaceExec,
  container: string,
  table: string,
): Promise<ReadonlyMap<string, number>> {
  const listed = JSON.parse(
    await entry.run(container, ['nft', '-j', 'list', 'counters', 'table', 'inet', table]),
  ) as { nftables: readonly { counter?: { name: string; packets: number } }[] }
  return new Map(
    listed.nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter.packets] as const] : [])),
  )
}
