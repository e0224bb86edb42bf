import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#shared/contract/contract.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { sender, sha256 } from './files.ts'
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
  const isEnough = (life: number) => Object.values(told).every(({ size }) => size >= 2 * life)

  let site = first
  for (let life = 1; life <= lives; life++) {
    const { call, upload } = await sender(site.url, admin)
    const cut = new AbortController()
    const people = Promise.all([
      until(cut.signal, async (n) => {
        const user = { username: `life-${life}-${n}`, password: 'secret-password', group_id: [2] }
        await call(contract.users.create, user)
        told.user.add(user.username)
      }),
      until(cut.signal, async (n) => {
        const comment = { type: 0, document_id: id, parent_id: 0, content: `第 ${life} 次，第 ${n} 句` }
        await call(contract.comments.create, comment)
        told.comment.add(comment.content)
      }),
      until(cut.signal, async (n) => {
        const bytes = makePdf({ title: `${life} ${n}` })
        expect(await upload('新.pdf', bytes)).toMatchObject({ refusal: '' })
        told.attachment.add(sha256(bytes))
      }),
    ])
    // In the middle of things, wherever that is by then.
    while (!isEnough(life)) await Promise.race([people, setTimeout(5)])
    await Promise.race([people, setTimeout(Math.random() * 50)])
    cut.abort()
    site.process.kill('SIGKILL')
    await once(site.process, 'exit')
    await people
    if (life === lives) break
    site = await site.again()
    open.push(site)
  }

  const database = new DatabaseSync(first.databaseUrl, { readOnly: true })
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  for (const [table, column] of [
    ['user', 'username'],
    ['comment', 'content'],
    ['attachment', 'hash'],
  ] as const) {
    const rows = database.prepare(`select "${column}" as content from "${table}"`).all()
    const there = new Set<unknown>(rows.map(({ content }) => content))
    expect([...told[table].difference(there)], table).toEqual([])
  }
  database.close()
  // Files with their own bytes, counters with what they count; nothing is waiting to be mended.
  expect(await commandLine(first, 'check')).toContain('没有问题')
})

/** Again and again until the power is cut; what fails before that is a failure. */
async function until(cut: AbortSignal, act: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; !cut.aborted; n++) {
    try {
      await act(n)
    } catch (error) {
      if (!cut.aborted) throw error
    }
  }
}
