import { ContentType } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'
import { loadViewer } from '../access/access.viewer.ts'
import { deleteDocuments } from '#server/modules/documents/publishing/delete.ts'
import { downloadDocument } from '#server/modules/downloads/download.ts'
import { buyDocument } from '#server/modules/orders/paying/pay-with-credits.ts'
import { createComment } from '#server/modules/comments/comments.create.ts'
import { addFavorite, removeFavorites } from '#server/modules/favorites/favorites.service.ts'
import { addCredit, spendCredit, transferCredit } from './credits.ledger.ts'
import { rewardRegistration, rewardUpload } from './credits.rewards.ts'
import { checkIn } from './check-in.ts'

const operationCount = 10_000
const concurrency = 6
const day = 24 * 60 * 60 * 1000

let site: Site
let hash: string
let clock = Date.now()
const members: MemberCtx[] = []
const published: { id: number; owner: MemberCtx }[] = []
const favorites: { id: number; ctx: MemberCtx }[] = []

beforeAll(async () => {
  site = await openSite()
  await site.configure({
    'download.times_every_day': '1000000',
    'download.times_every_ip': '1000000',
    'download.free_download_duration': '1',
    'security.comment_interval': '0',
    'score.sign_in': '2',
    'score.upload_document_limit': '5',
    'score.document_collected_limit': '20',
    'score.document_commented_limit': '20',
    'score.delete_document': '7',
  })
  hash = (await storeDocument(site, { owner: site.root })).hash
  await site.db.updateTable('group').set({ enable_comment: 1, enable_comment_approval: 0 }).execute()
})
afterAll(() => site.close())

test(
  'after ten thousand concurrent operations of all kinds every balance is the sum of its entries',
  {
    timeout: 180_000,
  },
  async () => {
    for (let at = 0; at < 12; at += 1) members.push(await addMember())
    for (const owner of members) await publish(owner)
    const outcomes = new Map<string, number>()
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    let left = operationCount
    const work = async () => {
      while (left > 0) {
        left -= 1
        if (left % 250 === 0) clock += pick([day, day, day, day / 2, -day])
        const { name, attempt } = pick(weighted)
        await attempt(pick(members)).then(
          (done) => count(done === false ? `${name}: false` : name),
          (error: unknown) => {
            if (!(error instanceof AppError)) throw error
            count(`${name}: ${error.reason}`)
          },
        )
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))

    for (const { viewer } of members) await expectConsistent(viewer.id)
    // Every kind of operation has succeeded, and those that can be refused have been.
    for (const { name } of operations) expect(outcomes.get(name), name).toBeGreaterThan(20)
    for (const failure of ['sign: credits.signedAlready', 'download: documents.creditShort', 'spend: false'])
      expect(outcomes.get(failure), failure).toBeGreaterThan(20)
    const reasons = await site.db.selectFrom('credit_entry').select('reason').distinct().execute()
    const all = ['commented', 'delete', 'download', 'favorited', 'register', 'sale', 'sign', 'upload']
    expect(reasons.map(({ reason }) => reason).toSorted()).toEqual(all)
  },
)

interface Operation {
  name: string
  /** In percent. */
  share: number
  attempt: (ctx: MemberCtx) => Promise<unknown>
}

const operations: Operation[] = [
  { name: 'register', share: 4, attempt: (ctx) => rewardRegistration(ctx, ctx.viewer.id) },
  { name: 'sign', share: 25, attempt: (ctx) => checkIn(ctx) },
  { name: 'upload', share: 4, attempt: publish },
  { name: 'download', share: 6, attempt: (ctx) => downloadDocument(ctx, { id: pick(published).id }, buyDocument) },
  { name: 'favorite', share: 5, attempt: favorite },
  { name: 'unfavorite', share: 3, attempt: unfavorite },
  { name: 'comment', share: 1, attempt: comment },
  { name: 'delete', share: 2, attempt: remove },
  { name: 'transfer', share: 17, attempt: pay },
  {
    name: 'spend',
    share: 30,
    attempt: (ctx) => spendCredit(ctx, { userId: ctx.viewer.id, amount: 1 + below(60), reason: 'download' }),
  },
  { name: 'rolled back', share: 3, attempt: rollBack },
]
const weighted = operations.flatMap((operation) => Array.from({ length: operation.share }, () => operation))

/** With the registration reward, and an own IP address. */
async function addMember(): Promise<MemberCtx> {
  const ctx = await site.app.context()
  const username = `saver-${members.length}`
  const stamps = { login_at: null, created_at: 0, updated_at: 0 }
  const { id } = await site.db
    .insertInto('user')
    .values({ username, username_key: username, password: '', ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow()
  await site.db.insertInto('user_group').values({ user_id: id, group_id: 2 }).execute()
  await rewardRegistration(ctx, id)
  const viewer = await loadViewer(ctx, { id, username, is_root: 0, sessionId: 0 })
  const origin = { ip: `10.0.0.${members.length}`, network: `10.0.0.${members.length}`, userAgent: '' }
  return { ...ctx, viewer, origin, member: true, now: () => clock }
}

async function publish(owner: MemberCtx): Promise<void> {
  await transaction(owner, async (ctx) => {
    const { id } = await ctx.db
      .insertInto('document')
      .values({
        hash,
        uuid: randomBytes(8).toString('hex'),
        user_id: owner.viewer.id,
        attachment_id: 0,
        title: '账本',
        ext: '.pdf',
        size: 1,
        price: below(12),
        status: DocumentStatus.Converted,
        recommend_at: null,
        deleted_at: null,
        created_at: clock,
        updated_at: clock,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await rewardUpload(ctx, owner.viewer.id, [id])
    published.push({ id, owner })
  })
}

async function favorite(ctx: MemberCtx): Promise<void> {
  const { id } = await addFavorite(ctx, { document_id: pick(published).id, type: ContentType.Document })
  favorites.push({ id, ctx })
}

function comment(ctx: MemberCtx): Promise<unknown> {
  const target = { document_id: pick(published).id, type: ContentType.Document, parent_id: 0 }
  return createComment(ctx, { ...target, content: '好', captcha: '', captcha_id: '' })
}

function pay(ctx: MemberCtx): Promise<boolean> {
  return transferCredit(ctx, { from: ctx.viewer.id, to: pick(members).viewer.id, amount: below(8), reason: 'download' })
}

async function unfavorite(): Promise<unknown> {
  const row = favorites.pop()
  return row ? removeFavorites(row.ctx, { id: [row.id] }) : false
}

/** Other members may be downloading the document. */
async function remove(): Promise<unknown> {
  if (published.length < 12) return false
  const [removed] = published.splice(below(published.length), 1)
  return removed && deleteDocuments(removed.owner, { id: [removed.id] })
}

async function rollBack(ctx: MemberCtx): Promise<void> {
  const attempt = transaction(ctx, async (ctx) => {
    await pay(ctx)
    await addCredit(ctx, { userId: ctx.viewer.id, amount: 9, reason: 'upload' })
    throw new RangeError('rolled back')
  })
  await expect(attempt).rejects.toThrow('rolled back')
}

async function expectConsistent(userId: number): Promise<void> {
  const entries = await site.db
    .selectFrom('credit_entry')
    .select(['amount', 'balance'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  const { credit_count } = await site.db
    .selectFrom('user')
    .select('credit_count')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  let sum = 0
  for (const { amount, balance } of entries) {
    sum += amount
    expect(balance).toBe(sum)
    expect(balance).toBeGreaterThanOrEqual(0)
  }
  expect(credit_count).toBe(sum)
  expect(entries.length).toBeGreaterThan(50)
}

let seed = 20_261_115
function below(limit: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * limit)
}

function pick<T>(items: readonly T[]): T {
  const item = items[below(items.length)]
  if (item === undefined) throw new RangeError('nothing to choose from')
  return item
}
