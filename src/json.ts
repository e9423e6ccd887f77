import { z } from 'zod'

/** A value that survives `JSON.stringify` and back unchanged. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export const jsonSchema: z.ZodType<Json> = z.json()
