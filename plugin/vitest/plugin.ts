/// <reference types="vitest/config" preserve="true" />
import { fileURLToPath } from 'node:url'
import type { TestProject, Vite, Vitest } from 'vitest/node'
import { NemesisReporter } from '../../reporters/terminal/reporter.js'
import { resolveOptions, type NemesisOptions, type ResolvedOptions } from './options.js'
import { SessionRuns } from './session-runs.js'
import { key, scenarioTag } from './settings.js'
import { cancelOnSignals } from './signals.js'
import { renameImports } from './static-discovery.js'

const scenarioFiles = '**/*.scenario.?(c|m)[jt]s?(x)'
const packageRoot = fileURLToPath(new URL('../../../', import.meta.url)).replaceAll('\\', '/')
// Compiled files, and the sources that their maps point to.
const ownFolders = ['dist', 'src', 'plugin', 'reporters'].map((folder) => `${packageRoot}${folder}/`)

/**
 * The plugin: put it among `plugins` of the Vitest config.
 *
 * It adds the reporter, finds `*.scenario.ts` files, lets one of them run at a time, and makes a session directory when
 * a scenario runs. Other test files run as they do without it. Throws DeclarationError for a wrong option.
 */
export function nemesis(options: NemesisOptions = {}): Vite.Plugin {
  const resolved = resolveOptions(options, process.env)
  return {
    name: 'vitest-nemesis',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: /vitest-nemesis/ },
      handler(code, id) {
        return renameImports(code, { id, parse: (text) => this.parse(text) })
      },
    },
    async configResolved({ root }) {
      if (process.env['DIST_TEST_AUTHOR_MODE'] !== '1' || resolved.plan === null) return
      const { authorMissing } = await import('./author-mode.js')
      await authorMissing(root, resolved.plan)
    },
    configureVitest({ vitest, project }) {
      // Scenarios start processes and talk to sockets: they run in Node, never in a browser.
      if (project.config.browser.enabled) return
      const session = sessionOf(vitest, resolved)
      configureProject(vitest, project)
      project.provide(key, {
        host: session.address,
        root: vitest.config.root,
        tier: resolved.tier,
        gate: resolved.gate,
      })
    },
  }
}

// Projects may each evaluate the config and so make a plugin each; what they share hangs on the config of the whole
// Vitest, of which there is a new one after each restart.
const sessions = new WeakMap<Vitest['config'], SessionRuns>()

/** What there is once for all projects: the session host, the reporter, the signals. */
function sessionOf(vitest: Vitest, options: ResolvedOptions): SessionRuns {
  const known = sessions.get(vitest.config)
  if (known !== undefined) return known
  const session = new SessionRuns(vitest, options)
  vitest.config.reporters.push(new NemesisReporter(session))
  cancelOnSignals(vitest, () => session.busy)
  sessions.set(vitest.config, session)
  return session
}

function configureProject(vitest: Vitest, project: TestProject): void {
  const { config } = project
  config.tags ??= []
  if (!config.tags.some(({ name }) => name === scenarioTag)) {
    config.tags.push({ name: scenarioTag, description: 'Tries to falsify claims about a system' })
  }
  if (findsScenarios(vitest, project)) config.include.push(scenarioFiles)
  const users = config.onStackTrace
  config.onStackTrace = (error, frame) =>
    isOwn(frame.file.replaceAll('\\', '/')) ? false : users?.(error, frame)
}

/** Whether a stack frame is in this package rather than in the user's code. */
function isOwn(file: string): boolean {
  return ownFolders.some((folder) => file.startsWith(folder))
}

/**
 * Whether the project is the one that gets scenario files although its `include` does not name them: the first one
 * of its root that runs in Node, if no project of that root names them.
 */
function findsScenarios(vitest: Vitest, project: TestProject): boolean {
  const sameRoot = [...new Set([...vitest.projects, project])].filter(
    ({ config }) => config.root === project.config.root && !config.browser.enabled,
  )
  return (
    sameRoot[0] === project &&
    !sameRoot.some(({ config }) => config.include.some((pattern) => pattern.includes('scenario')))
  )
}

export type { NemesisOptions }
