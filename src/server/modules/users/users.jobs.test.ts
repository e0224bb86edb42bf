import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { deliverMails } from '#server/testing/deliver-mails.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { userJobs } from './users.jobs.ts'

const day = 86_400_000
const tables = ['session', 'captcha', 'rate_limit', 'verification_code', 'reset_token'] as const

let site: Site
let mailbox: Mailbox
beforeAll(async () => {
  mailbox = await openMailbox()
  site = await openSite()
  await site.configure({
    ...mailbox.settings,
    'system.domain': 'https://wenku.example.com',
    'security.enable_captcha_comment': 'true',
    'security.enable_verify_register_email': 'true',
    'security.session_days': '1',
  })
  site.freezeClock()
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})

test('expired rows are purged, and valid ones stay', async () => {
  const { id } = await site.member()
  await site.root.call(users.profile, { id, email: 'reader@example.com' })
  await createRelatedRows('first@example.com')
  site.advanceClock(day + 1)
  await createRelatedRows('second@example.com')
  await site.call(users.login, { username: site.root.username, password: site.root.password })
  const before = await counts()
  for (const table of tables) expect(before[table], table).toBeGreaterThan(1)

  await userJobs['users.purge-expired'](await site.app.context())
  // Of the administrator's sessions the first has ended too, though it was opened before the owner shortened them.
  expect(await counts()).toEqual({ session: 1, captcha: 1, rate_limit: 4, verification_code: 1, reset_token: 1 })

  async function createRelatedRows(email: string): Promise<void> {
    await site.call(users.captcha, { type: 'comment' })
    await site.call(users.emailCode, { email })
    await site.call(users.requestPasswordReset, { email: 'reader@example.com' })
    await deliverMails(site)
  }
})

async function counts(): Promise<Record<string, number>> {
  const rows = tables.map(async (table) => {
    const row = await site.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return [table, row.count]
  })
  return Object.fromEntries(await Promise.all(rows)) as Record<string, number>
}
