import * as z from 'zod/mini'
import { Punishment } from '../enums.ts'
import { code, count, flag, id, or, time, unsetTime } from '../fields.ts'

/** What the review desk asks for documents, articles and comments alike. */

/** `user_id` for the work of one author alone. */
export const queueInput = z.object({ after: or(count(), 0), user_id: or(count(), 0) })

/** What waits for a decision, the oldest first: so many after `after` in all, and the ids of the first ones. */
export const ReviewQueue = z.object({ total: count(), id: z.array(id) })
export type ReviewQueue = z.output<typeof ReviewQueue>

/** The member whose work is reviewed; the counts are of work of the same kind. The id is 0 when the account is gone. */
export const Contributor = z.object({
  id: count(),
  username: z.string(),
  avatar: z.string(),
  /** When the account was created. */
  created_at: unsetTime,
  approved: count(),
  rejected: count(),
  /** How much of the same kind waits, this one included. */
  waiting: count(),
  /** Publishes without review. */
  is_trusted: flag,
  /** How often the member has been punished, and for what at present. */
  punished: count(),
  punishment: z.array(code(Punishment)),
  /** The latest ones. */
  rejection: z.array(z.object({ title: z.string(), reason: z.string(), at: time })),
})
export type Contributor = z.output<typeof Contributor>
