import * as z from 'zod/mini'
import { count, or } from '../fields.ts'

/** A longer query is accepted, but cut to this length. */
export const maxQueryLength = 64
export const searchWords = or(z.string('请输入文字').check(z.maxLength(20_000, '搜索的内容太长')), '')

/** Start and end, as indices of the text. */
const Range = z.array(count())
export const MarkedText = z.object({ text: z.string(), ranges: z.array(Range) })
export type MarkedText = z.output<typeof MarkedText>
