import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { type Mailbox, openMailbox } from '#server/testing/mailbox.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { userJobs } from './users.jobs.ts'

const day = 86_400_000
const tables = ['session', 'captcha', 'attempt', 'email_code', 'reset_token'] as const

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
  site.holdClock()
})
afterAll(async () => {
  await site.close()
  await mailbox.close()
})

test('what has run out is cleared away, and what still counts stays', async () => {
  const { id } = await site.member()
  await site.root.call(users.profile, { id, email: 'reader@example.com' })
  await leaveTraces('first@example.com')
  site.pass(day + 1)
  await leaveTraces('second@example.com')
  const before = await counts()
  for (const table of tables) expect(before[table], table).toBeGreaterThan(1)

  const run = { attempt: 1, last: false, signal: new AbortController().signal }
  await userJobs['users.purge']?.(await site.app.context(), {}, run)
  // The administrator's session lasts longer: it was opened before the owner shortened them.
  expect(await counts()).toEqual({ session: 1, captcha: 1, attempt: 3, email_code: 1, reset_token: 1 })

  async function leaveTraces(email: string): Promise<void> {
    await site.call(users.captcha, { type: 'comment' })
    await site.call(users.emailCode, { email })
    await site.call(users.findPasswordStepOne, { email: 'reader@example.com' })
  }
})

async function counts(): Promise<Record<string, number>> {
  const rows = tables.map(async (table) => {
    const counted = await site.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return [table, counted.count]
  })
  return Object.fromEntries(await Promise.all(rows)) as Record<string, number>
}
