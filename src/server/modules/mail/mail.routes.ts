import type { mails } from '#shared/contract/system.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { deleteLetters, listLetters, retryLetters } from './mail.service.ts'

export const mailRoutes: Handlers<typeof mails> = {
  list: listLetters,
  async retry(ctx, { id }) {
    await retryLetters(ctx, id)
    return {}
  },
  async delete(ctx, { id }) {
    await deleteLetters(ctx, id)
    return {}
  },
}
