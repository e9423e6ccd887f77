import { z } from 'zod'

/** Bytes at a place in the code for reading clocks that every process has, in hex. */
const codeSchema = z.strictObject({
  offset: z.int().nonnegative(),
  bytes: z.string().regex(/^(?:[0-9a-f]{2})+$/),
})

/**
 * Everything that must be taken back, by which another process can do it.
 *
 * Every undo is idempotent: what is gone already counts as undone. Processes are named by pid *and* start time,
 * so that a pid which the kernel has handed out again is never touched.
 */
export const undoSchema = z.discriminatedUnion('kind', [
  /**
   * Ends every process of the run: the listed ones, their groups, and (Linux) all that carry NEMESIS_RUN=<run> in their
   * environment or write their output into `logs`, a directory of this run only.
   */
  z.strictObject({ kind: z.literal('processes'), run: z.string(), logs: z.string().optional() }),
  z.strictObject({ kind: z.literal('process'), pid: z.int(), startTime: z.string().nullable() }),
  /** Continues a stopped process group. */
  z.strictObject({ kind: z.literal('resume'), pid: z.int(), startTime: z.string().nullable() }),
  /** Removes all containers and networks that carry the label `nemesis.run=<run>`. */
  z.strictObject({ kind: z.literal('docker-run'), run: z.string(), host: z.string().nullable() }),
  z.strictObject({ kind: z.literal('docker-unpause'), container: z.string(), host: z.string().nullable() }),
  /**
   * Starts a container of somebody else's that a fault has ended. One that still runs as it was started then
   * (`startedAt`, as the engine tells it) may have been asked to end, and have until `endsWithinMs` to do so.
   */
  z.strictObject({
    kind: z.literal('docker-start'),
    container: z.string(),
    host: z.string().nullable(),
    startedAt: z.string(),
    endsWithinMs: z.number().nonnegative(),
  }),
  /** Removes all containers, networks and volumes of a project of Docker Compose. */
  z.strictObject({ kind: z.literal('docker-compose'), project: z.string(), host: z.string().nullable() }),
  /** Deletes one nft table in the network namespace of a container. */
  z.strictObject({
    kind: z.literal('docker-nft-table'),
    container: z.string(),
    table: z.string(),
    host: z.string().nullable(),
  }),
  /** Deletes the iptables chains `<chain>_in` and `<chain>_out` in the network namespace of a container. */
  z.strictObject({
    kind: z.literal('docker-iptables-chains'),
    container: z.string(),
    chain: z.string(),
    host: z.string().nullable(),
  }),
  /** Takes away the queueing disciplines of ours in the network namespace of a container. */
  z.strictObject({
    kind: z.literal('docker-shaping'),
    container: z.string(),
    host: z.string().nullable(),
  }),
  /** Removes network namespaces of a run, with their links and rules. */
  z.strictObject({ kind: z.literal('namespaces'), names: z.array(z.string()) }),
  /** Moves processes in a control group of ours back to where they came from, and removes the group. */
  z.strictObject({ kind: z.literal('cpu-group'), directory: z.string(), home: z.string() }),
  /** Gives a container the CPU limit back that it had; 0 for none. */
  z.strictObject({
    kind: z.literal('docker-cpu'),
    container: z.string(),
    host: z.string().nullable(),
    before: z.strictObject({ nano: z.number(), quotaUs: z.number(), periodUs: z.number() }),
  }),
  /** Takes toxics of ours off the proxies of a Toxiproxy server. */
  z.strictObject({
    kind: z.literal('toxiproxy-toxics'),
    url: z.string(),
    toxics: z.array(z.strictObject({ proxy: z.string(), toxic: z.string() })),
  }),
  z.strictObject({ kind: z.literal('directory'), path: z.string() }),
  /** Unmounts what is mounted at a temporary directory, and removes the directory. */
  z.strictObject({ kind: z.literal('mount'), path: z.string() }),
  /** Removes a file of our own by which a small file system was filled. */
  z.strictObject({ kind: z.literal('filler'), path: z.string() }),
  /** Writes the copy of a file back to `path` below `dataDir` if it still holds what it was replaced by, and removes the copy. */
  z.strictObject({
    kind: z.literal('replaced-file'),
    dataDir: z.string(),
    path: z.string(),
    copy: z.string(),
    sha256: z.string(),
  }),
  /** Gives every process whose clock functions carry the tag the original ones back, and lets the listed ones go on. */
  z.strictObject({
    kind: z.literal('clock'),
    tag: codeSchema,
    originalTag: codeSchema,
    body: z.array(codeSchema),
    entries: z.array(codeSchema),
    processes: z.array(z.strictObject({ pid: z.int(), startTime: z.string().nullable() })),
  }),
])
export type Undo = z.infer<typeof undoSchema>

/** The undo journal of one run. An entry is on disk before the promise resolves; inject only after that. */
export interface UndoJournal {
  /** Returns the entry's id. */
  open(undo: Undo): Promise<string>
  /** The thing has been taken back. */
  close(id: string): Promise<void>
}
