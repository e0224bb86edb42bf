import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ContentType } from '#shared/enums.ts'
import { contract } from '#shared/contract/contract.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { createUploadClient, sha256 } from './upload-client.ts'
import { allowContributions, signInAsRoot, publish } from './site-setup.ts'
import { runCli, configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** SIGKILL while members write, several times: every acknowledged write survives. */

const admin = { username: 'admin', password: 'first password' }
const kills = 4
let first: RunningSite
const open: RunningSite[] = []
beforeAll(async () => {
  first = await startSite('sqlite', { ADMIN_PASSWORD: admin.password })
  open.push(first)
})
afterAll(async () => {
  for (const site of open.toReversed()) await site.stop()
})

test('no acknowledged write is lost, and none is half done', async () => {
  const root = await signInAsRoot(first, admin.password)
  await configure(first, { 'security.comment_interval': '0', 'security.enable_captcha_comment': 'false' })
  await allowContributions(root, { reviewed: false })
  const { id } = await publish(root, { name: '常在.pdf', bytes: makePdf({ title: '常在' }) })
  const acknowledged = { user: new Set<unknown>(), comment: new Set<unknown>(), attachment: new Set<unknown>() }
  const isEnough = (round: number) => Object.values(acknowledged).every(({ size }) => size >= 2 * round)

  let site = first
  for (let round = 1; round <= kills; round++) {
    const { call, upload } = await createUploadClient(site.url, admin)
    const kill = new AbortController()
    const people = Promise.all([
      until(kill.signal, async (n) => {
        const user = { username: `round-${round}-${n}`, password: 'secret-password', group_id: [2] }
        await call(contract.users.create, user)
        acknowledged.user.add(user.username)
      }),
      until(kill.signal, async (n) => {
        const comment = {
          type: ContentType.Document,
          document_id: id,
          parent_id: 0,
          content: `第 ${round} 次，第 ${n} 句`,
        }
        await call(contract.comments.create, comment)
        acknowledged.comment.add(comment.content)
      }),
      until(kill.signal, async (n) => {
        const bytes = makePdf({ title: `${round} ${n}` })
        expect(await upload('新.pdf', bytes)).toMatchObject({ refusal: '' })
        acknowledged.attachment.add(sha256(bytes))
      }),
    ])
    // At a random moment in the middle of writes.
    while (!isEnough(round)) await Promise.race([people, setTimeout(5)])
    await Promise.race([people, setTimeout(Math.random() * 50)])
    kill.abort()
    site.process.kill('SIGKILL')
    await once(site.process, 'exit')
    await people
    if (round === kills) break
    site = await site.startSecond()
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
    expect([...acknowledged[table].difference(there)], table).toEqual([])
  }
  database.close()
  // Files match their hashes and counters their rows.
  expect(await runCli(first, 'check')).toContain('没有问题')
})

/** Repeats `act` until the process is killed; a failure before that fails the test. */
async function until(kill: AbortSignal, act: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; !kill.aborted; n++) {
    try {
      await act(n)
    } catch (error) {
      if (!kill.aborted) throw error
    }
  }
}
