import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { EnvironmentError } from '../../errors.js'

/** The code that the kernel maps into every process for reading clocks: an ELF image, the same in all of them. */
export interface Vdso {
  readonly image: Buffer
  /** Where a function begins in the image, and how many bytes it has. */
  function(name: string): { readonly offset: number; readonly size: number } | null
  /** Where what is loaded of the image ends: section headers and padding follow, which no running program reads. */
  readonly loadedEnd: number
}

let own: Vdso | null = null

/**
 * The vDSO of this very process, which shows how that of any 64-bit process on this kernel looks as long as nobody has
 * changed it. Throws EnvironmentError where there is none.
 */
export function ownVdso(): Vdso {
  if (own !== null) return own
  const range = /^([0-9a-f]+)-([0-9a-f]+) .*\[vdso\]$/m.exec(readFileSync('/proc/self/maps', 'latin1'))
  if (range === null) {
    throw new EnvironmentError(
      'vDSO',
      'this kernel gives processes no vDSO, so there is nothing to change their clocks by',
      'boot without vdso=0, or use a machine that does not emulate system calls',
    )
  }
  const start = Number.parseInt(range[1] as string, 16)
  const image = Buffer.alloc(Number.parseInt(range[2] as string, 16) - start)
  const memory = openSync('/proc/self/mem', 'r')
  try {
    readSync(memory, image, 0, image.length, start)
  } finally {
    closeSync(memory)
  }
  const functions = functionsIn(image)
  own = { image, function: (name) => functions.get(name) ?? null, loadedEnd: loadedEnd(image) }
  return own
}

const segment = { load: 1, dynamic: 2 }
const stringTable = 5
const symbolTable = 6
const symbolBytes = 24

/** Reads the dynamic symbols of an ELF64 image (elf(5)). In a vDSO addresses are offsets, and strings follow symbols. */
function functionsIn(image: Buffer): Map<string, { offset: number; size: number }> {
  const tags = dynamicTags(image)
  const symbols = tags.get(symbolTable) ?? 0
  const strings = tags.get(stringTable) ?? 0
  const found = new Map<string, { offset: number; size: number }>()
  for (let at = symbols; at + symbolBytes <= strings; at += symbolBytes) {
    const name = strings + image.readUInt32LE(at)
    const end = image.indexOf(0, name)
    found.set(image.toString('latin1', name, end), {
      offset: Number(image.readBigUInt64LE(at + 8)),
      size: Number(image.readBigUInt64LE(at + 16)),
    })
  }
  return found
}

function dynamicTags(image: Buffer): Map<number, number> {
  const tags = new Map<number, number>()
  for (const { offset } of segmentsOf(image, segment.dynamic)) {
    for (let at = offset; image.readBigInt64LE(at) !== 0n; at += 16) {
      tags.set(Number(image.readBigInt64LE(at)), Number(image.readBigUInt64LE(at + 8)))
    }
  }
  return tags
}

function loadedEnd(image: Buffer): number {
  return Math.max(...segmentsOf(image, segment.load).map(({ offset, bytes }) => offset + bytes))
}

/** The program headers of one type. */
function segmentsOf(image: Buffer, type: number): readonly { offset: number; bytes: number }[] {
  const first = Number(image.readBigUInt64LE(32))
  const headerBytes = image.readUInt16LE(54)
  return Array.from({ length: image.readUInt16LE(56) }, (_, index) => first + index * headerBytes)
    .filter((header) => image.readUInt32LE(header) === type)
    .map((header) => ({
      offset: Number(image.readBigUInt64LE(header + 8)),
      bytes: Number(image.readBigUInt64LE(header + 32)),
    }))
}

const auxiliaryVdso = 33n

/** Address of the vDSO in a process; null when it has none, has ended, or is no 64-bit process. Throws when it may not be looked at. */
export function vdsoAddress(pid: number): number | null {
  let vector: Buffer
  try {
    vector = readFileSync(`/proc/${pid}/auxv`)
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
  for (let at = 0; at + 16 <= vector.length; at += 16) {
    if (vector.readBigUInt64LE(at) === auxiliaryVdso) return Number(vector.readBigUInt64LE(at + 8))
  }
  return null
}

/** True for what the kernel answers about a process that has ended. */
export function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ESRCH'
}
