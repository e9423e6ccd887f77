import { SkillsError } from '../errors.js'
import { agentNames, agents, type AgentName, type Scope } from './agents.js'
import type { Change } from './change.js'
import { Files } from './files.js'
import { clearFolder, syncFolder } from './folder.js'
import { manifestPath, readManifest, writeManifest, type FolderRecord, type Manifest } from './manifest.js'
import { pointed, unpoint } from './pointer.js'

/** Where the skills go, and what is shipped. */
export interface Place {
  /** The home directory or the project's root. */
  readonly base: string
  readonly scope: Scope
  /** Path within a skills folder to content. */
  readonly shipped: ReadonlyMap<string, Buffer>
  /** Of this package. */
  readonly version: string
}

/**
 * Installs the skills for agents, or brings them up to date. Again and again it leaves one copy; nothing that somebody has
 * changed is overwritten. Throws SkillsError for a path that cannot be used.
 */
export async function installSkills(place: Place, wanted: readonly AgentName[]): Promise<readonly Change[]> {
  const { base, scope, shipped, version } = place
  const manifest = await readManifest(base, version)
  const files = new Files(base, scope, manifest.directories)
  await files.makeRoomFor(manifestPath)
  const changes: Change[] = []
  const save = () => writeManifest(base, { ...manifest, directories: [...files.made] })

  for (const agent of wanted) {
    const path = agents[agent].instructions[scope]
    if (path === null) continue
    const known = manifest.blocks.find((one) => one.path === path) ?? null
    const result = await pointed(files, { path, scope, skills: agents[agent].skills }, known)
    if (!changes.some((one) => one.path === path)) changes.push(result.change)
    if (result.record !== null) {
      const record = { ...result.record, agents: joined(known?.agents ?? [], agent) }
      manifest.blocks = [...manifest.blocks.filter((one) => one.path !== path), record]
    }
    if (result.content === null) continue
    // Noted first: a block that is there and not noted could never be taken out again.
    await files.makeRoomFor(path)
    await save()
    await files.write(path, result.content)
  }

  for (const path of new Set(wanted.map((agent) => agents[agent].skills))) {
    const known = manifest.folders.find((one) => one.path === path) ?? emptyFolder(path)
    const using = wanted.filter((agent) => agents[agent].skills === path)
    const synced = await syncFolder(files, { ...known, agents: joined(known.agents, ...using) }, shipped)
    changes.push(...synced.changes)
    manifest.folders = [...manifest.folders.filter((one) => one.path !== path), synced.record]
  }
  await save()
  return changes
}

/** Brings what is installed up to date, for the given agents or for all that it was installed for. */
export async function updateSkills(
  place: Place,
  wanted: readonly AgentName[] | null,
): Promise<readonly Change[]> {
  const installed = installedFor(await readManifest(place.base, place.version))
  const chosen = wanted ?? installed
  const missing = chosen.filter((agent) => !installed.includes(agent))
  if (missing.length > 0 || chosen.length === 0) {
    const whom = missing.map((agent) => agents[agent].title).join(', ') || 'any agent'
    throw new SkillsError('not-installed', `${place.base} has no skills for ${whom}`, {
      hint: `\`nemesis skills install${place.scope === 'project' ? ' --project' : ''}\` installs them`,
    })
  }
  return installSkills(place, chosen)
}

/**
 * Removes the skills of agents, of all when none are given. Files that others use as well stay, and so does what somebody
 * has changed; all else is as it was before, to the byte.
 */
export async function removeSkills(
  { base, scope, version }: Omit<Place, 'shipped'>,
  wanted: readonly AgentName[] | null,
): Promise<readonly Change[]> {
  const manifest = await readManifest(base, version)
  const leaving = wanted ?? agentNames
  const files = new Files(base, scope, manifest.directories)
  const changes: Change[] = []
  const blocks: Manifest['blocks'] = []
  for (const block of manifest.blocks) {
    const users = block.agents.filter((agent) => !leaving.includes(agent))
    const done = users.length > 0 ? null : await unpoint(files, block)
    if (users.length > 0) blocks.push({ ...block, agents: users })
    // A block that somebody has changed stays on record until it is gone.
    else if (done?.what === 'kept') blocks.push(block)
    if (done !== null) changes.push(done)
  }
  const folders: Manifest['folders'] = []
  for (const folder of manifest.folders) {
    const users = folder.agents.filter((agent) => !leaving.includes(agent))
    if (users.length > 0) folders.push({ ...folder, agents: users })
    else changes.push(...(await clearFolder(files, folder)))
  }
  // The manifest lies in a directory that may have to go.
  await writeManifest(base, { ...manifest, blocks, folders })
  await files.removeEmptied()
  if (blocks.length > 0 || folders.length > 0) {
    await writeManifest(base, { ...manifest, blocks, folders, directories: [...files.made] })
  }
  return changes
}

function installedFor({ blocks, folders }: Manifest): readonly AgentName[] {
  return agentNames.filter((agent) => [...blocks, ...folders].some((one) => one.agents.includes(agent)))
}

function emptyFolder(path: string): FolderRecord {
  return { path, agents: [], files: {}, offers: {} }
}

function joined(one: readonly AgentName[], ...more: readonly AgentName[]): AgentName[] {
  return agentNames.filter((agent) => one.includes(agent) || more.includes(agent))
}
