import * as z from 'zod/mini'
import { del, get, put } from '../endpoint.ts'
import { byIds, id, many, none, or, text } from '../fields.ts'

const screen = z
  .string('请给出页面')
  .check(z.regex(/^\/admin\/[a-z]+(\/[a-z]+)?$/, '页面不正确'), z.maxLength(64, '页面最多 64 个字符'))

const SavedView = z.object({
  id,
  name: z.string(),
  /** Filters and order, as in the address of the list. */
  query: z.string(),
  column: z.array(z.string()),
})
export type SavedView = z.output<typeof SavedView>

/** How a member wants to see the lists of the back office: named filters, order and columns. */
export const savedViews = {
  list: get('/savedview/list', {
    summary: '我的列表视图',
    access: 'member',
    input: z.object({ screen }),
    reply: z.object({ view: z.array(SavedView) }),
  }),
  save: put('/savedview', {
    summary: '保存列表视图；同名的会被替换',
    access: 'member',
    bodyLimit: 256 * 1024,
    input: z.object({ screen, name: text(32, 1), query: or(text(2000), ''), column: many(text(64, 1)) }),
    reply: SavedView,
  }),
  delete: del('/savedview', { summary: '删除我的列表视图', access: 'member', input: byIds, reply: none }),
}
