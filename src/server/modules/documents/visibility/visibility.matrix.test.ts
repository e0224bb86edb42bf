import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '#shared/client.ts'
import { groups as groupEndpoints } from '#shared/contract/access.ts'
import { categories } from '#shared/contract/catalog.ts'
import { comments } from '#shared/contract/comments.ts'
import { documentShares } from '#shared/contract/document-shares.ts'
import { documents } from '#shared/contract/documents.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { orders } from '#shared/contract/orders.ts'
import { reports } from '#shared/contract/reports.ts'
import { searches } from '#shared/contract/search.ts'
import { stats } from '#shared/contract/stats.ts'
import { users } from '#shared/contract/users.ts'
import { vip } from '#shared/contract/vip.ts'
import { ContentType, OrderType, ReportReason, VipCard, Visibility } from '#shared/enums.ts'
import { ApiError, errors } from '#shared/errors.ts'
import { anonymous, type Viewer } from '#server/context.ts'
import { findViewer } from '#server/modules/access/access.viewer.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import type { Person } from '#server/testing/site.ts'
import { isPaidFor as findPayment } from '../documents.paid.ts'
import { viewKey } from '../documents.keys.ts'
import { type DocumentRow, findDocument } from '../documents.queries.ts'
import { shareKeyHeader } from '#server/http/api/shared-replies.ts'
import { findShares } from './share-keys.ts'

/** Every viewer asks for every kind of document through every channel; one table says who gets it. */

const kindNames = ['public', 'members', 'groups', 'private', 'link', 'previewOnly'] as const
type Kind = (typeof kindNames)[number]
const viewerNames = ['visitor', 'member', 'buyer', 'cardHolder', 'groupMember', 'owner', 'staff', 'holder'] as const
type ViewerName = (typeof viewerNames)[number]

const everything: readonly Kind[] = kindNames
const forEveryone: readonly Kind[] = ['public', 'previewOnly']

/** Which kinds each viewer may know of. */
const visible: Record<ViewerName, readonly Kind[]> = {
  visitor: forEveryone,
  member: [...forEveryone, 'members'],
  // A buyer reads on, and sees nothing that is hidden from other members.
  buyer: [...forEveryone, 'members'],
  cardHolder: [...forEveryone, 'members'],
  groupMember: [...forEveryone, 'members', 'groups'],
  owner: everything,
  staff: everything,
  holder: [...forEveryone, 'link'],
}

const isMember = (viewer: ViewerName) => viewer !== 'visitor' && viewer !== 'holder'

type Rule = (viewer: ViewerName, kind: Kind) => boolean
const sees: Rule = (viewer, kind) => visible[viewer].includes(kind)
/** A share link opens a document, but puts it into no list. */
const isListed: Rule = (viewer, kind) => sees(viewer, kind) && !(viewer === 'holder' && kind === 'link')
const isForEveryone: Rule = (_viewer, kind) => forEveryone.includes(kind)
const mayTake: Rule = (viewer, kind) =>
  sees(viewer, kind) && (kind !== 'previewOnly' || viewer === 'owner' || viewer === 'staff')
const mayAct: Rule = (viewer, kind) => isMember(viewer) && sees(viewer, kind)
const mayActOnOthers: Rule = (viewer, kind) => mayAct(viewer, kind) && viewer !== 'owner'

interface Reader {
  call: Call
  viewer: Viewer
  ip: string
}

interface Target {
  id: number
  row: DocumentRow
  kind: Kind
}

/** A member waits so long between two comments. */
const commentIntervalMs = 60_000

let site: DocumentSite
let category: number
let neighbour: number
let author: Person
const readers = {} as Record<ViewerName, Reader>
const targets = {} as Record<Kind, Target>

beforeAll(async () => {
  site = await openDocumentSite()
  const quotas = ['download.times_every_day', 'download.times_every_ip']
  await site.configure({
    'download.enable_guest_download': 'true',
    'vip.enable': 'true',
    'vip.year_times_every_day': '0',
    ...Object.fromEntries(quotas.map((name) => [name, '1000'])),
  })
  author = await site.author()
  const group = await site.root.call(groupEndpoints.create, { title: '编辑部' })
  const [member, buyer, cardHolder, groupMember] = [
    await site.member(),
    await site.member(),
    await site.member(),
    await site.member(),
  ]
  await site.root.call(vip.grant, { user_id: cardHolder.id, type: VipCard.Year, reason: '测试' })
  await site.root.call(users.set, { id: groupMember.id, group_id: [group.id] })
  const staff = await site.staff('DocumentAPI/ListDocument', 'DocumentAPI/GetDocument')
  await site.db.updateTable('group').set({ enable_comment: 1, enable_comment_approval: 0 }).execute()
  category = await site.category('可见范围')
  const columns: Record<Kind, { visibility: Visibility; groups?: number[]; downloadable?: 0 }> = {
    public: { visibility: Visibility.Public },
    members: { visibility: Visibility.Members },
    groups: { visibility: Visibility.Groups, groups: [group.id] },
    private: { visibility: Visibility.Private },
    link: { visibility: Visibility.Link },
    previewOnly: { visibility: Visibility.Public, downloadable: 0 },
  }
  for (const kind of kindNames) {
    const { hash } = await site.upload(author)
    const fixture = {
      title: `沧浪诗话 ${kind}`,
      texts: ['诗有别材 非关书也'],
      hash,
      owner: author,
      category: [category],
    }
    const [id = 0] = await site.addDocuments({ ...fixture, ...columns[kind], is_vip: 1 })
    const grant = { user_id: buyer.id, document_id: id, order_id: id, created_at: 1 }
    await site.db.insertInto('document_grant').values(grant).execute()
    const row = await findDocument(site.db, { id })
    if (!row) throw new Error('the document is missing')
    targets[kind] = { id, row, kind }
    site.advanceClock(commentIntervalMs)
    await author.call(comments.create, { document_id: id, content: `论${kind}` })
  }
  ;[neighbour = 0] = await site.addDocuments({ title: '沧浪诗话 邻', category: [category] })

  const ctx = await site.app.context()
  const people = { member, buyer, cardHolder, groupMember, owner: author, staff }
  for (const [name, { call, token }] of Object.entries(people))
    readers[name as keyof typeof people] = { call, viewer: await findViewer(ctx, token), ip: '127.0.0.1' }
  readers.visitor = { call: site.caller({ ip: '10.1.0.1' }), viewer: anonymous, ip: '10.1.0.1' }
  const { token } = await author.call(documentShares.create, { document_id: targets.link.id })
  const { key } = await site.call(documentShares.open, { token })
  const headers = { [shareKeyHeader]: key }
  const shares = await findShares(ctx, key)
  readers.holder = { call: site.caller({ ip: '10.1.0.2', headers }), viewer: { ...anonymous, shares }, ip: '10.1.0.2' }
}, 60_000)
afterAll(() => site.close())

type Channel = (reader: Reader, target: Target) => Promise<boolean>

/** Refused as if it were not there, or as for anyone who has not logged in. */
const refusals = new Set([errors.documents.notFound().reason, errors.access.loginNeeded().reason])
refusals.add(errors.documents.previewOnly().reason)

async function isAnswered(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof ApiError && refusals.has(error.reason)) return false
    throw error
  }
}

/** With the key that the viewer would have if the document were for everyone. */
function image(path: (key: string) => string): Channel {
  return async ({ viewer, ip }, { row }) => {
    const ctx = await site.app.context()
    const isPaidFor = await findPayment({ ...ctx, viewer }, row)
    const key = viewKey({ ...ctx, viewer }, { ...row, isPaidFor }, 1)
    const response = await site.request(path(key), { ip })
    const reason = response.headers.get('content-type')?.includes('json') ? (await response.json()).reason : ''
    return reason !== errors.documents.notFound().reason
  }
}

const has = (rows: readonly { id: number }[], { id }: Target) => rows.some((row) => row.id === id)

let asked = 0

async function isInText(path: string, { row }: Target): Promise<boolean> {
  // Each from an address of its own: feeds are limited by address.
  const response = await site.request(path, { ip: `10.2.0.${(asked += 1)}` })
  expect(response.status).toBe(200)
  return (await response.text()).includes(row.uuid)
}

const channels: [name: string, rule: Rule, channel: Channel][] = [
  ['the document by id', sees, ({ call }, { id }) => isAnswered(call(documents.get, { id }))],
  ['the document by uuid', sees, ({ call }, { row }) => isAnswered(call(documents.get, { uuid: row.uuid }))],
  ['whether it exists', sees, async ({ call }, { id }) => (await call(documents.exists, { id })).exist],
  ['the whole text', sees, ({ call }, { id }) => isAnswered(call(documents.get, { id, with_all_content: true }))],
  ['its layout', sees, ({ call }, { id }) => isAnswered(call(documents.layout, { id }))],
  ['finding words in it', sees, ({ call }, { id }) => isAnswered(call(documents.find, { id, wd: '别材' }))],
  ['marks on a page', sees, ({ call }, { id }) => isAnswered(call(documents.find, { id, wd: '别材', page: 1 }))],
  [
    'its progress',
    sees,
    async ({ call }, target) => has((await call(documents.progress, { id: [target.id] })).document, target),
  ],
  ['what is related to it', sees, ({ call }, { id }) => isAnswered(call(documents.related, { id }))],
  ['a page', sees, image((key) => `/view/page/${key}/1.svg`)],
  ['a thumbnail', sees, image((key) => `/view/thumb/${key}/1.webp`)],
  ['the text layer', sees, image((key) => `/view/text/${key}/1.json`)],
  ['the cells of a table', sees, image((key) => `/view/table/${key}/index.json`)],
  ['rows of a table', sees, image((key) => `/view/table/${key}/0-0.json`)],
  ['finding cells', sees, ({ call }, { id }) => isAnswered(call(documents.findCells, { id, wd: '别材' }))],
  ['the reflowed text', sees, image((key) => `/view/reflow/${key}/1.json`)],
  ['the cover', sees, image((key) => `/view/cover/${key}`)],
  ['the list', isListed, async ({ call }, target) => has((await call(documents.list, {})).document, target)],
  [
    'the list of its category',
    isListed,
    async ({ call }, target) => has((await call(documents.list, { category_id: [category] })).document, target),
  ],
  [
    'the list of its owner',
    isListed,
    async ({ call }, target) => has((await call(documents.list, { user_id: [author.id] })).document, target),
  ],
  [
    'the home page',
    isListed,
    async ({ call }, target) =>
      (await call(documents.home, { limit: 20 })).document.some(({ document }) => has(document, target)),
  ],
  [
    'a search',
    isListed,
    async ({ call }, target) => has((await call(searches.documents, { wd: '沧浪' })).document, target),
  ],
  [
    'a search in the text',
    isListed,
    async ({ call }, target) => has((await call(searches.documents, { wd: '别材' })).document, target),
  ],
  [
    'suggestions',
    isListed,
    async ({ call }, { row }) =>
      (await call(searches.suggest, { wd: row.title })).suggestion.some(({ uuid }) => uuid === row.uuid),
  ],
  [
    'documents related to another',
    isForEveryone,
    async ({ call }, target) => has((await call(documents.related, { id: neighbour })).document, target),
  ],
  ['the feed', isForEveryone, (_reader, target) => isInText('/feed/document', target)],
  [
    'the feed of its category',
    isForEveryone,
    (_reader, target) => isInText(`/feed/document?category_id=${category}`, target),
  ],
  [
    'the feed of its owner',
    isForEveryone,
    (_reader, target) => isInText(`/feed/document?user_id=${author.id}`, target),
  ],
  ['the sitemap', isForEveryone, (_reader, target) => isInText('/sitemap/documents-1.xml', target)],
  ['the terms of a download', sees, ({ call }, { id }) => isAnswered(call(downloads.terms, { id }))],
  [
    'the terms allow a download',
    mayTake,
    async ({ call }, { id }) => {
      const terms = call(downloads.terms, { id })
      return (await isAnswered(terms)) && (await terms).reason === ''
    },
  ],
  [
    'a download',
    mayTake,
    async ({ call, ip }, { id }) => {
      const link = call(downloads.download, { id })
      return (await isAnswered(link)) && (await site.request((await link).url, { ip })).status === 200
    },
  ],
  ['its comments', sees, async ({ call }, { id }) => (await call(comments.list, { document_id: id })).total > 0],
  [
    'comments of its owner',
    sees,
    async ({ call }, { id }) =>
      (await call(comments.list, { user_id: author.id, size: 100 })).comment.some(
        ({ document_id }) => document_id === id,
      ),
  ],
  [
    'commenting',
    mayAct,
    ({ call }, { id }) => {
      site.advanceClock(commentIntervalMs)
      return isAnswered(call(comments.create, { document_id: id, content: '好诗' }))
    },
  ],
  [
    'a favorite',
    mayAct,
    ({ call }, { id }) => isAnswered(call(favorites.create, { document_id: id, type: ContentType.Document })),
  ],
  [
    'own favorites',
    mayAct,
    async ({ call, viewer }, { id }) =>
      viewer.id > 0 &&
      (await call(favorites.list, { size: 100 })).favorite.some(({ document_id }) => document_id === id),
  ],
  [
    'rating',
    mayActOnOthers,
    async ({ call, viewer }, { id }) =>
      viewer.id !== author.id && isAnswered(call(documents.rate, { document_id: id, score: 500 })),
  ],
  [
    'reporting',
    mayActOnOthers,
    async ({ call, viewer }, { id }) =>
      viewer.id !== author.id && isAnswered(call(reports.create, { document_id: id, reason: ReportReason.Spam })),
  ],
  [
    'ordering',
    (viewer, kind) => isMember(viewer) && mayTake(viewer, kind),
    ({ call }, { id }) => isAnswered(call(orders.create, { order_type: OrderType.Document, product_id: id })),
  ],
]

test('the index has documents of every visibility', async () => {
  await site.root.call(searches.reindex, {})
  await site.runDueJobs()
  const { search } = await site.app.context()
  const ids = (await search.list('document', { after: 0, limit: 100 })).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(kindNames.map((kind) => targets[kind].id)))
})

test.each(channels)('%s', async (_name, rule, channel) => {
  const [expected, actual]: Record<string, Kind[]>[] = [{}, {}]
  for (const viewer of viewerNames) {
    if (expected) expected[viewer] = kindNames.filter((kind) => rule(viewer, kind))
    const seen: Kind[] = []
    for (const kind of kindNames) if (await channel(readers[viewer], targets[kind])) seen.push(kind)
    if (actual) actual[viewer] = seen
  }
  expect(actual).toEqual(expected)
})

test('counters count what is for everyone', async () => {
  const counted = forEveryone.length + 1
  const { category: rows } = await site.call(categories.list, { type: [ContentType.Document] })
  expect(rows.find(({ id }) => id === category)?.doc_count).toBe(counted)
  expect((await site.call(users.get, { id: author.id })).doc_count).toBe(forEveryone.length)
  expect((await site.call(stats.get, {})).document_count).toBe(counted)
})
