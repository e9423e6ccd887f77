import type { Mutation } from '../mutation.js'

/** Every mutation, in the order of the documentation. */
export const mutations: readonly Mutation[] = []
