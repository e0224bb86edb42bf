import * as z from 'zod/mini'
import { get, post } from '../endpoint.ts'
import { byId, count, id, none, unsetTime } from '../fields.ts'

const VersionItem = z.object({
  id,
  title: z.string(),
  /** Who saved it. */
  user_id: count(),
  username: z.string(),
  created_at: unsetTime,
})
export type VersionItem = z.output<typeof VersionItem>

const Version = z.extend(VersionItem, {
  article_id: id,
  /** Sanitized HTML. */
  content: z.string(),
})

export const articleVersions = {
  list: get('/article/version/list', {
    summary: '文章的历史版本，不带正文，最新的在前；没有修改过时为空',
    access: 'member',
    input: byId,
    reply: z.object({ version: z.array(VersionItem) }),
  }),
  get: get('/article/version', { summary: '一个历史版本', access: 'member', input: byId, reply: Version }),
  restore: post('/article/version/restore', {
    summary: '把文章恢复成历史版本，等于又修改一次',
    access: 'member',
    staffMayActForOthers: true,
    input: byId,
    reply: none,
  }),
}
