import * as z from 'zod/mini'
import { get } from '../endpoint.ts'
import { ActivityType } from '../enums.ts'
import { code, count, id, listInput, page, unsetTime } from '../fields.ts'

const Activity = z.object({
  id,
  user_id: count(),
  type: code(ActivityType),
  /** As HTML, for clients that render it. */
  content: z.string(),
  /** The same in parts: the action, its subject, the subject's address, and the credits earned or spent. */
  action: z.string(),
  subject: z.string(),
  href: z.string(),
  amount: z.int(),
  created_at: unsetTime,
})
export type Activity = z.output<typeof Activity>

export const activities = {
  list: get('/user/dynamic', {
    summary: '我的动态，新的在前',
    access: 'member',
    input: listInput({}),
    reply: page('dynamic', Activity),
  }),
}
