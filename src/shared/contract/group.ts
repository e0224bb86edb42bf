import * as z from 'zod/mini'
import { color, count, flag, id, or, text, unsetTime } from '../fields.ts'

/** Apart from the endpoints of groups, because every page loads it: a session holds the groups of its member. */
export const Group = z.object({
  id,
  title: text(64, 1),
  color: or(color, ''),
  description: or(text(255), ''),
  is_default: or(flag, false),
  is_display: or(flag, false),
  sort: or(z.int(), 0),
  user_count: count(),
  enable_upload: or(flag, false),
  enable_document_review: or(flag, false),
  enable_comment: or(flag, false),
  enable_comment_approval: or(flag, false),
  enable_article: or(flag, false),
  enable_article_approval: or(flag, false),
  created_at: unsetTime,
  updated_at: unsetTime,
})
export type Group = z.output<typeof Group>
