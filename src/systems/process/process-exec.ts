import { execa } from 'execa'
import { EnvironmentError, FaultError, SystemError } from '../../errors.js'
import type { Exec } from '../capabilities.js'
import { findExecutable } from './executable.js'
import type { NodeCommand } from './node-command.js'
import { signalGroup } from './process-group.js'

const defaultTimeoutMs = 30_000

/**
 * Commands as child processes with a node's working directory and environment, in its network namespace where it has
 * one, as the user who runs the node. They work while the node is down, too.
 *
 * Throws EnvironmentError for a program that is not there, FaultError for one that takes longer than its time: it is
 * killed then, with its process group.
 */
export function processExec(nodes: ReadonlyMap<string, NodeCommand>): Exec {
  return {
    mechanism: 'child process',
    async run(name, command, { input = '', timeoutMs = defaultTimeoutMs } = {}) {
      const node = nodes.get(name)
      if (node === undefined) {
        throw new SystemError('unknown-node', `there is no node '${name}'`, {
          hint: `the nodes are ${[...nodes.keys()].join(', ')}`,
        })
      }
      const [file = ''] = command
      const path = node.env['PATH'] ?? process.env['PATH'] ?? ''
      if ((await findExecutable(file, { cwd: node.cwd, path })) === null) {
        throw new EnvironmentError(
          file,
          `${file} cannot be run beside ${name}: it is not an executable file in PATH (in ${node.cwd})`,
          `install ${file}, or name it by its path`,
        )
      }
      const [program, ...args] = [...node.inside, ...command] as [string, ...string[]]
      const child = execa(program, args, {
        cwd: node.cwd,
        env: node.env,
        input,
        // A group of its own, so that whatever it starts ends with it.
        detached: true,
        reject: false,
        stripFinalNewline: false,
      })
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
          reject(
            new FaultError(
              'exec-timeout',
              `${command.join(' ')} on ${name} took longer than ${timeoutMs} ms`,
            ),
          )
        }, timeoutMs)
      })
      try {
        const { exitCode, stdout, stderr } = await Promise.race([child, late])
        return { code: exitCode ?? null, stdout, stderr }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
