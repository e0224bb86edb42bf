import * as z from 'zod/mini'
import { del, get, post } from '../endpoint.ts'
import { count, flag, id, ids, none, unsetTime } from '../fields.ts'

const backupStates = ['waiting', 'running', 'done', 'failed'] as const

const Backup = z.object({
  id,
  state: z.enum(backupStates),
  /** How far it is, while it runs. */
  note: z.string(),
  /** Why it failed. */
  error: z.string(),
  /** The machine on whose disk it lies, and where; empty while it waits. */
  host: z.string(),
  path: z.string(),
  /** The server that answers can send the file. */
  is_here: flag,
  is_scheduled: flag,
  size: z.int(),
  rows: count(),
  files: count(),
  /** Files that the site itself lacks, or whose content has changed. */
  missing: count(),
  altered: count(),
  created_at: unsetTime,
  /** When it was complete, and read again from end to end. */
  finished_at: unsetTime,
})
export type Backup = z.output<typeof Backup>

const access = 'administrator'

export const backups = {
  list: get('/backup', {
    summary: '备份：正在进行的、完成的和失败的，最新的在前',
    access,
    input: none,
    reply: z.object({
      backup: z.array(Backup),
      /** Backups made from the command line count, too. */
      last_good_at: unsetTime,
      /** The folder where the answering server keeps its own backups. */
      folder: z.string(),
    }),
  }),
  create: post('/backup', { summary: '现在备份整个网站', access, input: none, reply: z.object({ id }) }),
  link: post('/backup/link', {
    summary: '下载一份备份的链接，只在本次登录中有效，一小时后失效',
    access,
    proof: 'everyone',
    input: z.object({ id }),
    reply: z.object({ link: z.string() }),
  }),
  delete: del('/backup', {
    summary: '删除备份',
    access,
    proof: 'everyone',
    input: z.object({ id: ids }),
    reply: none,
  }),
}
