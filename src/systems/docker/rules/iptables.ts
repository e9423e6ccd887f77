import { EnvironmentError } from '../../../errors.js'
import { CommandFailed, type NamespaceExec } from '../namespace/exec.js'
import { undoScript } from './queue-script.js'

/** iptables rules that were put into a namespace, by family. */
export interface InstalledRules {
  readonly scripts: readonly { readonly tool: 'iptables' | 'ip6tables'; readonly script: string }[]
  /** True when the namespace had no filter table before, so that ours is to leave with the rules. */
  readonly madeTable: boolean
}

/** Puts the rules in. Throws EnvironmentError when the kernel or the helper image has no NFQUEUE target. */
export async function installRules(
  entry: NamespaceExec,
  container: string,
  { ipv4, ipv6 }: { ipv4: string | null; ipv6: string | null },
): Promise<InstalledRules> {
  const scripts = [
    ...(ipv4 === null ? [] : [{ tool: 'iptables' as const, script: ipv4 }]),
    ...(ipv6 === null ? [] : [{ tool: 'ip6tables' as const, script: ipv6 }]),
  ]
  const madeTable = !(await hasFilterTable(entry, container))
  try {
    for (const { tool, script } of scripts)
      await entry.run(container, [`${tool}-restore`, '--noflush'], script)
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    throw new EnvironmentError(
      'iptables with NFQUEUE',
      `packets cannot be sent to a delayer: ${error.message}`,
      "install iptables; the engine's kernel needs CONFIG_NETFILTER_XT_TARGET_NFQUEUE (modprobe xt_NFQUEUE)",
    )
  }
  return { scripts, madeTable }
}

/** Takes the rules away again. */
export async function removeRules(
  entry: NamespaceExec,
  container: string,
  { scripts, madeTable }: InstalledRules,
): Promise<void> {
  for (const { tool, script } of scripts) {
    await entry.run(container, [`${tool}-restore`, '--noflush'], undoScript(script))
  }
  if (!madeTable || !(await hasFilterTable(entry, container))) return
  const left = await entry.run(container, ['iptables', '-S'])
  const onlyPolicies = left.split('\n').every((line) => line === '' || line.startsWith('-P '))
  if (onlyPolicies) await entry.run(container, ['nft', 'delete', 'table', 'ip', 'filter'])
}

/** What the rules have counted, as `iptables -nvxL` prints it. */
export async function listRules(
  entry: NamespaceExec,
  container: string,
  { scripts }: InstalledRules,
): Promise<string> {
  const printed = await Promise.all(
    scripts.flatMap(({ tool, script }) =>
      chainsOf(script).map((chain) => entry.run(container, [tool, '-nvxL', chain])),
    ),
  )
  return printed.join('\n')
}

/** True while any of the rules' chains is there. */
export async function rulesPresent(
  entry: NamespaceExec,
  container: string,
  { scripts }: InstalledRules,
): Promise<boolean> {
  for (const { tool, script } of scripts) {
    const listed = await entry.run(container, [tool, '-S'])
    if (chainsOf(script).some((chain) => listed.includes(`-N ${chain}\n`))) return true
  }
  return false
}

function chainsOf(script: string): string[] {
  return [...script.matchAll(/^:(\S+) /gm)].map((match) => match[1] as string)
}

async function hasFilterTable(entry: NamespaceExec, container: string): Promise<boolean> {
  const listed = await entry.run(container, ['nft', 'list', 'tables'])
  return /^table ip filter$/m.test(listed)
}
