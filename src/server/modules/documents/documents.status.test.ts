import { RecommendAction } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { transaction, type MemberCtx } from '#server/context.ts'
import { admit } from '#server/http/api/admit.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { loadViewer } from '../access/access.viewer.ts'
import { deleteDocuments } from './publishing/delete.ts'
import { setCategory, setLanguage } from './publishing/edit.ts'
import { purgeDocuments, recoverDocuments } from './publishing/recycle-bin.ts'
import { checkDocuments, recommendDocuments } from './publishing/review.ts'
import { moveDocuments } from './documents.status.ts'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
})
afterAll(() => site.close())

async function asRoot(): Promise<MemberCtx> {
  const ctx = await site.app.context()
  return admit('member', { ...ctx, viewer: await loadViewer(ctx, { ...site.root, is_root: 1, sessionId: 0 }) })
}

test('a document that is deleted and disabled concurrently is subtracted from the counters once', async () => {
  const category = await site.category('同时')
  const [id = 0] = await site.addDocuments({ category: [category] }, { category: [category] })
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
    status: DocumentStatus.Disabled,
  })
})

describe('concurrent changes of the same documents do not deadlock', () => {
  const operations: Record<string, [number | undefined, (ctx: MemberCtx, id: number[]) => Promise<unknown>]> = {
    deleting: [undefined, (ctx, id) => deleteDocuments(ctx, { id })],
    recovering: [1, (ctx, id) => recoverDocuments(ctx, { id })],
    purging: [1, (ctx, id) => purgeDocuments(ctx, { id })],
    'setting a language': [undefined, (ctx, id) => setLanguage(ctx, { document_id: id, language: 'en' })],
    'setting a category': [
      undefined,
      async (ctx, id) => setCategory(ctx, { document_id: id, category_id: [await site.category(`${id[0]}`)] }),
    ],
    recommending: [undefined, (ctx, id) => recommendDocuments(ctx, { id, type: RecommendAction.Recommend })],
    checking: [
      undefined,
      (ctx, id) =>
        checkDocuments(ctx, { id, status: DocumentStatus.Disabled, reason: '', from: [], attachment_id: [] }),
    ],
  }
  // SQLite has one writer at a time.
  test.runIf(inject('database').engine === 'postgres').each(Object.entries(operations))(
    '%s',
    async (_name, operation) => {
      const [deleted_at, change] = operation
      const [low = 0, high = 0] = await site.addDocuments({ deleted_at }, { deleted_at })
      const touch = async (ctx: MemberCtx, id: number) => {
        await ctx.db
          .updateTable('document')
          .set((eb) => ({ view_count: eb('view_count', '+', 1) }))
          .where('id', '=', id)
          .execute()
      }
      // An update moves a row on the disk: now the higher id comes first.
      await touch(await asRoot(), low)
      const concurrent = await asRoot()
      let changing: Promise<unknown> = Promise.resolve()
      await transaction(await asRoot(), async (ctx) => {
        await touch(ctx, low)
        changing = change(concurrent, [high, low])
        await sleep(200)
        await touch(ctx, high)
      })
      await changing
    },
  )
})
