import type { mails } from '#shared/contract/mail.ts'
import type { Handlers } from '#server/http/api/mount.ts'
import { deleteMails, listMails, retryMails } from './mail.service.ts'

export const mailRoutes: Handlers<typeof mails> = {
  list: listMails,
  async retry(ctx, { id }) {
    await retryMails(ctx, id)
    return {}
  },
  async delete(ctx, { id }) {
    await deleteMails(ctx, id)
    return {}
  },
}
