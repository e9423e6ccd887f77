import { statSync } from 'node:fs'
import { EnvironmentError } from '../../../errors.js'
import { findProgram } from '../../program.js'
import { imageFromHost, type ImageSource } from '../images/source.js'

const needed = ['nft', 'sleep', 'cat']
const optional = ['iptables', 'iptables-restore', 'ip6tables', 'ip6tables-restore', 'tc', 'ip', 'ss']
const extensionDirs = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/lib',
]

/** The helper's image of this machine's own programs. Throws EnvironmentError when they are not here. */
export function helperImageFromHost(): ImageSource {
  const absent = needed.filter((name) => findProgram(name) === null)
  if (process.platform !== 'linux' || absent.length > 0) {
    throw new EnvironmentError(
      'an image with nft',
      'network faults on containers need a helper image with nft, tc, iptables, sleep and cat',
      process.platform === 'linux'
        ? `install ${absent.join(' and ')} (apt install nftables), or name an image: docker({ helperImage })`
        : 'name an image that has them: docker({ helperImage })',
    )
  }
  // iptables loads what it does from plug-ins: targets for the queue and for going on, matches, and what both share.
  const plugins = extensionDirs
    .flatMap((dir) =>
      ['NFQUEUE', 'standard', 'statistic', 'comment'].map((name) => `${dir}/xtables/libxt_${name}.so`),
    )
    .filter((file) => statSync(file, { throwIfNoEntry: false }) !== undefined)
  return imageFromHost({
    tag: 'nemesis-helper',
    binaries: [...needed, ...optional.filter((name) => findProgram(name) !== null)],
    files: Object.fromEntries(plugins.map((file) => [file, file])),
    command: ['sleep', 'infinity'],
  })
}
