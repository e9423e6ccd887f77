import type { Disturbance } from '../../capabilities.js'
import type { Flip } from './disturbances.js'
import type { Loss } from './volume.js'

/** What the process of a file system can be told, and what it answers. */
export interface Control {
  /** Puts a disturbance in place; its number. */
  disturb: { readonly ask: { readonly disturbance: Disturbance }; readonly answer: number }
  /** Takes one away. */
  undisturb: { readonly ask: { readonly id: number }; readonly answer: null }
  /** What one has done so far; null when it is not there. */
  disturbed: {
    readonly ask: { readonly id: number }
    readonly answer: { readonly met: number; readonly flips: readonly Flip[] } | null
  }
  /** From now on nothing is changed any more. */
  powerOff: { readonly ask: Record<never, never>; readonly answer: null }
  /** Forgets what was not synced, and works again. */
  powerOn: { readonly ask: Record<never, never>; readonly answer: Loss }
}

export type ControlName = keyof Control

export type ControlMessage = {
  [Name in ControlName]: { readonly number: number; readonly tell: Name } & Control[Name]['ask']
}[ControlName]

/** What the process says: that it is mounted, or an answer. */
export type ControlAnswer =
  | { readonly mounted: true }
  | { readonly number: number; readonly answer: unknown }
  | { readonly number: number; readonly error: string }
