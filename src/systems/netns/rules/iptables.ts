import { EnvironmentError } from '../../../errors.js'
import { CommandFailed, type NamespaceExec } from '../exec.js'
import { chainsScript, undoScript, type ChainTable, type JudgedEnd } from './chains-script.js'
import { oneAtATime } from './context.js'

/** Chains of ours in a network namespace. */
export interface Chains {
  /** Of the namespace. */
  readonly id: string
  readonly table: ChainTable
  /** The chains are `<chain>_in` and `<chain>_out`. */
  readonly chain: string
}

const tools = ['iptables', 'ip6tables'] as const
const familyOf = { iptables: 'ipv4', ip6tables: 'ipv6' } as const
const nftFamilyOf = { iptables: 'ip', ip6tables: 'ip6' } as const

/** A table that has become empty is deleted: nothing may be put in at that moment. */
const locks = new Map<string, ReturnType<typeof oneAtATime>>()
function alone<T>(id: string, task: () => Promise<T>): Promise<T> {
  const lock = locks.get(id) ?? oneAtATime()
  locks.set(id, lock)
  return lock(task)
}

/** Puts the rules in. Throws EnvironmentError when iptables is not there, or does not know a target or a match. */
export function putChains(
  entry: NamespaceExec,
  chains: Chains,
  { ends, needs }: { readonly ends: readonly JudgedEnd[]; readonly needs: string },
): Promise<void> {
  return alone(chains.id, async () => {
    for (const tool of tools) {
      const script = chainsScript(chains, ends, familyOf[tool])
      if (script === null) continue
      try {
        await entry.run(chains.id, [`${tool}-restore`, '--noflush'], script)
      } catch (error) {
        if (!(error instanceof CommandFailed)) throw error
        throw new EnvironmentError(
          `iptables with ${needs}`,
          `packets cannot be judged: ${error.message}`,
          `install iptables; the engine's kernel needs its ${needs} (modprobe xt_${needs})`,
        )
      }
    }
  })
}

/** Takes the chains away, and a table that nothing is left in. What is gone already counts as taken away. */
export function removeChains(entry: NamespaceExec, chains: Chains): Promise<void> {
  const { id, table } = chains
  return alone(id, async () => {
    for (const tool of tools) {
      const listed = await listTable(entry, chains, tool)
      if (listed === null) continue
      const script = undoScript(chains, listed)
      if (script !== null) await entry.run(id, [`${tool}-restore`, '--noflush'], script)
      const left = await entry.run(id, [tool, '-t', table, '-S'])
      const empty = left.split('\n').every((line) => line === '' || /^-P \w+ ACCEPT$/.test(line))
      if (empty) await entry.run(id, ['nft', 'delete', 'table', nftFamilyOf[tool], table])
    }
  })
}

/** What the rules have counted, as `iptables -nvxL` prints it. */
export async function listChains(entry: NamespaceExec, chains: Chains): Promise<string> {
  const { id, table } = chains
  const printed = await Promise.all(
    tools.map(async (tool) => {
      const listed = (await listTable(entry, chains, tool)) ?? ''
      const own = [...listed.matchAll(new RegExp(`^-N (${chains.chain}_\\w+)$`, 'gm'))]
      return Promise.all(own.map((match) => entry.run(id, [tool, '-t', table, '-nvxL', match[1] as string])))
    }),
  )
  return printed.flat().join('\n')
}

/** True while any of the chains is there. */
export async function chainsPresent(entry: NamespaceExec, chains: Chains): Promise<boolean> {
  const listed = await Promise.all(tools.map((tool) => listTable(entry, chains, tool)))
  return listed.some((text) => text?.includes(`-N ${chains.chain}_`) === true)
}

/** The rules of a family's table as `iptables -S` prints them; null without asking for a table that is not there, which would make it. */
async function listTable(
  entry: NamespaceExec,
  { id, table }: Chains,
  tool: (typeof tools)[number],
): Promise<string | null> {
  const tables = await entry.run(id, ['nft', 'list', 'tables'])
  if (!tables.split('\n').includes(`table ${nftFamilyOf[tool]} ${table}`)) return null
  return entry.run(id, [tool, '-t', table, '-S'])
}
