import * as z from 'zod/mini'
import { text } from '../fields.ts'

export const maxSourceNameLength = 128

/** Where a document or an article was taken from: a name and a link for its readers, both empty for an own work. */
export const contentSource = { source_name: z.string(), source_url: z.string() }

/** Without them the source stays as it is. Only staff change it. */
export const contentSourceInput = {
  source_name: z.optional(text(maxSourceNameLength)),
  /** An address on another site. */
  source_url: z.optional(text(2048).check(z.regex(/^(https?:\/\/[^\s]+|)$/i, '网址须以 http:// 或 https:// 开头'))),
}
