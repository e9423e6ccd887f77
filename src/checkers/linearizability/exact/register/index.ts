import type { ExactChecker } from '../../part.js'
import { casChains } from './cas-chains.js'
import { refuter } from './refuter.js'
import { zones } from './zones.js'

/** The checkers of a register in the order to try: until one answers other than `unknown`. */
export const registerCheckers: readonly ExactChecker[] = [zones, casChains, refuter]
