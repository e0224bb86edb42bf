import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { sender } from './files.ts'
import { letUpload, openLibrary, publish } from './library.ts'
import { commandLine, configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** A power cut while people write, again and again: what they were told is done is done. */

const admin = { username: 'admin', password: 'first password' }
const lives = 4
let first: RunningSite
const open: RunningSite[] = []
beforeAll(async () => {
  first = await startSite('sqlite', { ADMIN_PASSWORD: admin.password })
  open.push(first)
})
afterAll(async () => {
  for (const site of open.toReversed()) await site.stop()
})

test('nothing that was acknowledged is lost, and nothing is half done', async () => {
  const root = await openLibrary(first, admin.password)
  await configure(first, { 'security.comment_interval': '0', 'security.enable_captcha_comment': 'false' })
  await letUpload(root, { reviewed: false })
  const { id } = await publish(root, { name: '常在.pdf', bytes: makePdf({ title: '常在' }) })
  const told = { user: new Set<unknown>(), comment: new Set<unknown>(), attachment: new Set<unknown>() }

  let site = first
  for (let life = 1; life <= lives; life++) {
    const { call, upload } = await sender(site.url, admin)
    const busy = Promise.allSettled([
      again(async (n) => {
        const user = { username: `life-${life}-${n}`, password: 'secret-password', group_id: [2] }
        await call(contract.users.create, user)
        told.user.add(user.username)
      }),
      again(async (n) => {
        const comment = { type: 0, document_id: id, parent_id: 0, content: `第 ${life} 次，第 ${n} 句` }
        told.comment.add((await call(contract.comments.create, comment)).id)
      }),
      again(async (n) => {
        const { id: attachment, refusal } = await upload('新.pdf', makePdf({ title: `${life} ${n}` }))
        expect(refusal).toBe('')
        told.attachment.add(attachment)
      }),
    ])
    // In the middle of things, wherever that is by then.
    while (Object.values(told).some(({ size }) => size < 2 * life)) await setTimeout(5)
    await setTimeout(Math.random() * 50)
    site.process.kill('SIGKILL')
    await once(site.process, 'exit')
    await busy
    if (life === lives) break
    site = await site.again()
    open.push(site)
  }

  const database = new DatabaseSync(first.databaseUrl, { readOnly: true })
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  for (const [table, acknowledged] of Object.entries(told)) {
    const rows = database.prepare(`select ${table === 'user' ? 'username' : 'id'} as name from "${table}"`).all()
    const there = new Set<unknown>(rows.map(({ name }) => name))
    expect([...acknowledged.difference(there)], table).toEqual([])
  }
  database.close()
  // Files with their own bytes, counters with what they count; nothing is waiting to be mended.
  expect(await commandLine(first, 'check')).toContain('没有问题')
})

/** Until the server is gone. */
async function again(act: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; ; n++) await act(n)
}
