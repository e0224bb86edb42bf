import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { transaction, type MemberCtx } from '#server/context.ts'
import { admit } from '#server/http/api/admit.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { loadViewer } from '../access/access.viewer.ts'
import { deleteDocuments } from './publishing/delete.ts'
import { setCategory, setLanguage } from './publishing/edit.ts'
import { purgeDocuments, recoverDocuments } from './publishing/recycle-bin.ts'
import { checkDocuments, recommendDocuments } from './publishing/review.ts'
import { moveDocuments } from './documents.status.ts'

let site: Library
beforeAll(async () => {
  site = await openLibrary()
})
afterAll(() => site.close())

async function asRoot(): Promise<MemberCtx> {
  const ctx = await site.app.context()
  return admit('member', { ...ctx, viewer: await loadViewer(ctx, { ...site.root, sessionId: 0 }) })
}

test('a document that is deleted and disabled at the same moment leaves the counts once', async () => {
  const category = await site.category('同时')
  const [id = 0] = await site.shelve({ category: [category] }, { category: [category] })
  const [deleting, disabling] = [await asRoot(), await asRoot()]
  let moving: Promise<unknown> = Promise.resolve()
  await transaction(deleting, async (ctx) => {
    await deleteDocuments(ctx, { id: [id] })
    moving = moveDocuments(disabling, [id], 'disable')
    await sleep(300)
  })
  await moving
  const row = await site.db.selectFrom('category').select('doc_count').where('id', '=', category).executeTakeFirst()
  expect(row?.doc_count).toBe(1)
  expect(await site.db.selectFrom('document').select('status').where('id', '=', id).executeTakeFirst()).toEqual({
    status: 4,
  })
})

describe('two who change the same documents never wait for each other', () => {
  const deeds: Record<string, [number | undefined, (ctx: MemberCtx, id: number[]) => Promise<unknown>]> = {
    deleting: [undefined, (ctx, id) => deleteDocuments(ctx, { id })],
    recovering: [1, (ctx, id) => recoverDocuments(ctx, { id })],
    purging: [1, (ctx, id) => purgeDocuments(ctx, { id })],
    'a language': [undefined, (ctx, id) => setLanguage(ctx, { document_id: id, language: 'en' })],
    'a category': [
      undefined,
      async (ctx, id) => setCategory(ctx, { document_id: id, category_id: [await site.category(`${id[0]}`)] }),
    ],
    recommending: [undefined, (ctx, id) => recommendDocuments(ctx, { id, type: 1 })],
    checking: [undefined, (ctx, id) => checkDocuments(ctx, { id, status: 4, reason: '' })],
  }
  // SQLite has one writer at a time.
  test.runIf(inject('database').engine === 'postgres').each(Object.entries(deeds))('%s', async (_name, deed) => {
    const [deleted_at, change] = deed
    const [low = 0, high = 0] = await site.shelve({ deleted_at }, { deleted_at })
    const touch = async (ctx: MemberCtx, id: number) => {
      await ctx.db
        .updateTable('document')
        .set((eb) => ({ view_count: eb('view_count', '+', 1) }))
        .where('id', '=', id)
        .execute()
    }
    // Where a row lies on the disk follows its last change: now the later one comes first.
    await touch(await asRoot(), low)
    const other = await asRoot()
    let changing: Promise<unknown> = Promise.resolve()
    await transaction(await asRoot(), async (ctx) => {
      await touch(ctx, low)
      changing = change(other, [high, low])
      await sleep(200)
      await touch(ctx, high)
    })
    await changing
  })
})
