import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { type MemberCtx, transaction } from '#server/context.ts'
import { openSite, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/stored-document.ts'
import { loadViewer } from '../access/access.viewer.ts'
import { deleteDocuments } from '#server/modules/documents/publishing/delete.ts'
import { downloadDocument } from '#server/modules/downloads/download.ts'
import { createComment } from '#server/modules/comments/comments.create.ts'
import { addFavorite, removeFavorites } from '#server/modules/favorites/favorites.service.ts'
import { addCredit, spendCredit, transferCredit } from './credits.ledger.ts'
import { rewardRegistration, rewardUpload } from './credits.rewards.ts'
import { checkIn } from './credits.sign.ts'

const operations = 10_000
const lanes = 6
const day = 24 * 60 * 60 * 1000

let site: Site
let hash: string
let clock = Date.now()
const people: MemberCtx[] = []
/** Documents on the shelf, whoever has put them there. */
const shelf: { id: number; owner: MemberCtx }[] = []
const kept: { id: number; by: MemberCtx }[] = []

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
  'after ten thousand deeds of all kinds, many at once, every balance is what its entries say',
  {
    timeout: 180_000,
  },
  async () => {
    for (let at = 0; at < 12; at += 1) people.push(await join())
    for (const owner of people) await publish(owner)
    const happened = new Map<string, number>()
    const count = (what: string) => happened.set(what, (happened.get(what) ?? 0) + 1)
    let left = operations
    const work = async () => {
      while (left > 0) {
        left -= 1
        if (left % 250 === 0) clock += oneOf([day, day, day, day / 2, -day])
        const { name, attempt } = oneOf(lots)
        await attempt(oneOf(people)).then(
          (done) => count(done === false ? `${name}: in vain` : name),
          (error: unknown) => {
            if (!(error instanceof AppError)) throw error
            count(`${name}: ${error.reason}`)
          },
        )
      }
    }
    await Promise.all(Array.from({ length: lanes }, work))

    for (const person of people) await expectWhole(person.viewer.id)
    // Every kind of deed has succeeded, and those that can fail for want of something have failed.
    for (const { name } of deeds) expect(happened.get(name), name).toBeGreaterThan(20)
    for (const failure of ['sign: credits.signedAlready', 'download: documents.creditShort', 'spend: in vain'])
      expect(happened.get(failure), failure).toBeGreaterThan(20)
    const reasons = await site.db.selectFrom('credit_entry').select('reason').distinct().execute()
    const all = ['commented', 'delete', 'download', 'favorited', 'register', 'sign', 'upload']
    expect(reasons.map(({ reason }) => reason).toSorted()).toEqual(all)
  },
)

interface Deed {
  name: string
  /** In a hundred. */
  share: number
  attempt: (ctx: MemberCtx) => Promise<unknown>
}

const deeds: Deed[] = [
  { name: 'register', share: 4, attempt: (ctx) => rewardRegistration(ctx, ctx.viewer.id) },
  { name: 'sign', share: 25, attempt: (ctx) => checkIn(ctx) },
  { name: 'upload', share: 4, attempt: publish },
  { name: 'download', share: 6, attempt: (ctx) => downloadDocument(ctx, { id: oneOf(shelf).id }) },
  { name: 'favorite', share: 5, attempt: keep },
  { name: 'unfavorite', share: 3, attempt: letGo },
  { name: 'comment', share: 1, attempt: comment },
  { name: 'delete', share: 2, attempt: remove },
  { name: 'transfer', share: 17, attempt: pay },
  {
    name: 'spend',
    share: 30,
    attempt: (ctx) => spendCredit(ctx, { userId: ctx.viewer.id, amount: 1 + below(60), reason: 'download' }),
  },
  { name: 'undone', share: 3, attempt: undone },
]
const lots = deeds.flatMap((deed) => Array.from({ length: deed.share }, () => deed))

/** A new member, rewarded for it; each of them comes from an address of their own. */
async function join(): Promise<MemberCtx> {
  const ctx = await site.app.context()
  const username = `saver-${people.length}`
  const stamps = { login_at: null, created_at: 0, updated_at: 0 }
  const { id } = await site.db
    .insertInto('user')
    .values({ username, username_key: username, password: '', ...stamps })
    .returning('id')
    .executeTakeFirstOrThrow()
  await site.db.insertInto('user_group').values({ user_id: id, group_id: 2 }).execute()
  await rewardRegistration(ctx, id)
  const viewer = await loadViewer(ctx, { id, username, sessionId: 0 })
  const origin = { ip: `10.0.0.${people.length}`, network: `10.0.0.${people.length}`, userAgent: '' }
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
        status: 2,
        recommend_at: null,
        deleted_at: null,
        created_at: clock,
        updated_at: clock,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await rewardUpload(ctx, owner.viewer.id, [id])
    shelf.push({ id, owner })
  })
}

async function keep(by: MemberCtx): Promise<void> {
  const { id } = await addFavorite(by, { document_id: oneOf(shelf).id, type: 0 })
  kept.push({ id, by })
}

function comment(by: MemberCtx): Promise<unknown> {
  const target = { document_id: oneOf(shelf).id, type: 0, parent_id: 0 }
  return createComment(by, { ...target, content: '好', captcha: '', captcha_id: '' })
}

function pay(by: MemberCtx): Promise<boolean> {
  return transferCredit(by, { from: by.viewer.id, to: other(), amount: below(8), reason: 'download' })
}

async function letGo(): Promise<unknown> {
  const favorite = kept.pop()
  return favorite ? removeFavorites(favorite.by, { id: [favorite.id] }) : false
}

/** Somebody deletes one of theirs, while others may be downloading it. */
async function remove(): Promise<unknown> {
  if (shelf.length < 12) return false
  const [gone] = shelf.splice(below(shelf.length), 1)
  return gone && deleteDocuments(gone.owner, { id: [gone.id] })
}

async function undone(ctx: MemberCtx): Promise<void> {
  const attempt = transaction(ctx, async (ctx) => {
    await pay(ctx)
    await addCredit(ctx, { userId: ctx.viewer.id, amount: 9, reason: 'upload' })
    throw new RangeError('changed my mind')
  })
  await expect(attempt).rejects.toThrow('changed my mind')
}

async function expectWhole(userId: number): Promise<void> {
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

function oneOf<T>(things: readonly T[]): T {
  const thing = things[below(things.length)]
  if (thing === undefined) throw new RangeError('nothing to choose from')
  return thing
}

function other(): number {
  return oneOf(people).viewer.id
}
