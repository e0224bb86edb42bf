import { DocumentStatus } from '#shared/document-status.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCodes } from '#shared/codes.ts'
import { groups, punishments } from '#shared/contract/access.ts'
import { articles } from '#shared/contract/articles.ts'
import { uploads } from '#shared/contract/attachments.ts'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { comments } from '#shared/contract/comments.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { reports } from '#shared/contract/reports.ts'
import { users } from '#shared/contract/users.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { Punishment, punishmentLabels, ReportReason, ContentType } from '#shared/enums.ts'
import { ApiError } from '#shared/errors.ts'
import { formatTime } from '#shared/format.ts'
import { type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'
import { tusMetadata } from '#server/testing/tus.ts'
import { sha256, tinyPdf, uploadForm } from '#server/testing/upload.ts'
import { addArticles } from '#server/testing/add-articles.ts'

const minute = 60_000
/** Shorter than the lifetime of a challenge, so that prepared attempts are still valid afterwards. */
const duration = 4 * minute
const reason = '多次违规，<b>屡教不改</b>'

let site: DocumentSite
beforeAll(async () => {
  site = await openDocumentSite()
  const standard = await site.call(groups.get, { id: 2 })
  const allowed = { enable_upload: true, enable_article: true, enable_comment: true, enable_comment_approval: false }
  await site.root.call(groups.update, { ...standard, ...allowed })
  await site.configure({
    'security.comment_interval': '0',
    'download.url_duration': '36000',
    'download.times_every_ip': '1000',
    'download.times_every_day': '1000',
  })
  site.freezeClock()
})
afterAll(() => site.close())

type Attempt = () => Promise<unknown>
interface Action {
  /** The punishment that forbids it, beside a disabled account. */
  forbiddenBy?: Punishment
  /** Runs before the punishment; returns an attempt that can be repeated. */
  prepare: (member: Person) => Promise<Attempt>
}

const actions: Record<string, Action> = {
  'comment on a document': {
    forbiddenBy: Punishment.NoComment,
    prepare: async (member) => commentOn(member, await addDocument(), ContentType.Document),
  },
  'comment on an article': {
    forbiddenBy: Punishment.NoComment,
    prepare: async (member) => commentOn(member, await addArticle(), ContentType.Article),
  },
  'reply to a comment': {
    forbiddenBy: Punishment.NoComment,
    prepare: async (member) => {
      const document_id = await addDocument()
      const { id } = await site.root.call(comments.create, { document_id, content: '在吗' })
      return () => member.call(comments.create, { document_id, parent_id: id, content: '在' })
    },
  },

  'ask whether they may upload': {
    forbiddenBy: Punishment.NoUpload,
    prepare:
      async ({ call }) =>
      () =>
        call(users.canUploadDocument),
  },
  'upload a file in a form': {
    forbiddenBy: Punishment.NoUpload,
    prepare: async (member) => () => sendForm(member, pdf()),
  },
  'start a resumable upload': {
    forbiddenBy: Punishment.NoUpload,
    prepare: async (member) => () => createTusUpload(member, 10),
  },
  'continue a resumable upload': {
    forbiddenBy: Punishment.NoUpload,
    prepare: async (member) => {
      const bytes = pdf()
      const { headers } = await createTusUpload(member, bytes.length)
      const path = headers.get('location') ?? ''
      const next = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      return () => sendTus(member, 'PATCH', path, { headers: next, body: bytes })
    },
  },
  'request a challenge for a file': {
    forbiddenBy: Punishment.NoUpload,
    prepare: async (member) => () => member.call(uploads.challenge, toFileRef(pdf())),
  },
  'claim a file that is stored already': {
    forbiddenBy: Punishment.NoUpload,
    prepare: async (member) => {
      const bytes = pdf()
      await sendForm(member, bytes)
      const { nonce, challenge } = await member.call(uploads.challenge, toFileRef(bytes))
      const proof = createHash('sha256').update(nonce).update(bytes).digest('hex')
      return async () => {
        const { id } = await member.call(uploads.claim, { challenge, proof })
        if (id === 0) throw new Error('the file is not stored')
      }
    },
  },
  'publish a file that was uploaded before': {
    forbiddenBy: Punishment.NoUpload,
    prepare: async (member) => {
      const { id } = await site.upload(member)
      return () => member.call(documents.create, { document: [{ attachment_id: id }] })
    },
  },

  'download a document': {
    forbiddenBy: Punishment.NoDownload,
    prepare: async (member) => {
      const { id } = await storeDocument(site, { owner: site.root })
      return () => member.call(downloads.download, { id })
    },
  },
  'download their own document': {
    forbiddenBy: Punishment.NoDownload,
    prepare: async (member) => {
      const { id } = await storeDocument(site, { owner: member })
      return () => member.call(downloads.download, { id })
    },
  },
  'use a download link from before': {
    forbiddenBy: Punishment.NoDownload,
    prepare: async (member) => {
      const { id } = await storeDocument(site, { owner: site.root })
      const { url } = await member.call(downloads.download, { id })
      return () => openLink(url)
    },
  },

  'add a document to the favorites': {
    forbiddenBy: Punishment.NoFavorite,
    prepare: async (member) => addToFavorites(member, await addDocument(), ContentType.Document),
  },
  'add an article to the favorites': {
    forbiddenBy: Punishment.NoFavorite,
    prepare: async (member) => addToFavorites(member, await addArticle(), ContentType.Article),
  },

  'ask whether they may publish': {
    forbiddenBy: Punishment.NoArticle,
    prepare:
      async ({ call }) =>
      () =>
        call(users.canPublishArticle),
  },
  'publish an article': {
    forbiddenBy: Punishment.NoArticle,
    prepare: async (member) => () => member.call(articles.create, { title: '新作', content: '<p>正文</p>' }),
  },
  'rewrite their own article': {
    forbiddenBy: Punishment.NoArticle,
    prepare: async (member) => {
      const id = await addArticle(member)
      return () => member.call(articles.update, { id, title: '改过', content: '<p>改过的正文</p>' })
    },
  },
  'upload an image for an article': {
    forbiddenBy: Punishment.NoArticle,
    prepare: async (member) => () => sendImage(member, 'article'),
  },

  'check in': {
    prepare:
      async ({ call }) =>
      () =>
        call(credits.checkIn),
  },
  'edit their profile': {
    prepare:
      async ({ call }) =>
      () =>
        call(users.profile, { signature: '还在' }),
  },
  'upload an avatar': { prepare: async (member) => () => sendImage(member, 'avatar') },
  'report a document': {
    prepare: async (member) => {
      const document_id = await addDocument()
      return () => member.call(reports.create, { document_id, reason: ReportReason.Spam })
    },
  },
  'rate a document': {
    prepare: async (member) => {
      const document_id = await addDocument()
      return () => member.call(documents.rate, { document_id, score: 400 })
    },
  },
  'remove a favorite': {
    prepare: async (member) => {
      const { id } = await member.call(favorites.create, { document_id: await addDocument() })
      return () => member.call(favorites.delete, { id: [id] })
    },
  },
  'delete their own comment': {
    prepare: async (member) => {
      const { id } = await member.call(comments.create, { document_id: await addDocument(), content: '说错了' })
      return () => member.call(comments.delete, { id: [id] })
    },
  },
  'delete their own document': {
    prepare: async (member) => {
      const [id = 0] = await site.addDocuments({ owner: member })
      return () => member.call(documents.delete, { id: [id] })
    },
  },
  'delete their own article': {
    prepare: async (member) => {
      const id = await addArticle(member)
      return () => member.call(articles.delete, { id: [id] })
    },
  },
}

describe.each(allCodes(Punishment).filter((type) => type !== Punishment.Disabled))('punishment %d', (type) => {
  const forbidden = Object.keys(actions).filter((name) => actions[name]?.forbiddenBy === type)

  test('forbids its actions and no others at once, with end and reason in the message, until it ends', async () => {
    const member = await site.member()
    const attempts = await prepareAll(member)
    const until = await after(duration)
    await punish(member, { type: [type], end_time: until })
    const sentence = `您已被${punishmentLabels[type]}，${formatTime(until)} 解除。原因：${reason}`
    const refused = Object.fromEntries(forbidden.map((name) => [name, sentence]))
    expect(await collectRefusals(attempts)).toEqual(refused)
    site.advanceClock(duration - 1)
    expect(await collectRefusals(pickAttempts(attempts, forbidden))).toEqual(refused)
    site.advanceClock(1)
    expect(await collectRefusals(pickAttempts(attempts, forbidden))).toEqual({})
  })

  test('forbids nothing once it is cancelled', async () => {
    const member = await site.member()
    const attempts = pickAttempts(await prepareAll(member), forbidden)
    await punish(member, { type: [type] })
    expect(Object.keys(await collectRefusals(attempts))).toEqual(forbidden)
    await cancel(member)
    expect(await collectRefusals(attempts)).toEqual({})
  })
})

describe('a disabled account', () => {
  test('can do nothing with an old token and cannot log in; after the end it can do everything', async () => {
    const member = await site.member()
    const attempts = await prepareAll(member)
    const until = await after(duration)
    await punish(member, { type: [Punishment.Disabled], end_time: until })
    const sentence = `您已被禁用账号，${formatTime(until)} 解除。原因：${reason}`
    const link = 'use a download link from before'
    const sentences = Object.fromEntries(
      Object.keys(actions).map((name) => [name, name === link ? sentence : '请先登录']),
    )
    expect(await collectRefusals(attempts)).toEqual(sentences)
    const { username, password } = member
    expect(await refusal(site.call(users.login, { username, password }))).toMatchObject({
      status: 403,
      reason: 'punishments.active',
      message: sentence,
    })
    site.advanceClock(duration)
    // The old token stays invalid: it may be in other hands.
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
    expect(await collectRefusals(await prepareAll(await logInAgain(member)))).toEqual({})
  })

  test('can do everything once the punishment is cancelled', async () => {
    const member = await site.member()
    await punish(member, { type: [Punishment.Disabled] })
    await cancel(member)
    expect(await collectRefusals(await prepareAll(await logInAgain(member)))).toEqual({})
  })
})

test('of two punishments of the same type the longer one counts, and is the one in the message', async () => {
  const member = await site.member()
  const attempt = commentOn(member, await addDocument(), ContentType.Document)
  const [soon, late] = [await after(duration), await after(2 * duration)]
  await punish(member, { type: [Punishment.NoComment], end_time: late })
  await punish(member, { type: [Punishment.NoComment], end_time: soon })
  expect(await refusal(attempt())).toMatchObject({ message: expect.stringContaining(formatTime(late)) })
  site.advanceClock(duration)
  expect(await refusal(attempt())).toMatchObject({ message: expect.stringContaining(formatTime(late)) })
  await punish(member, { type: [Punishment.NoComment] })
  expect(await refusal(attempt())).toMatchObject({ message: `您已被禁止评论。原因：${reason}` })
})

test('punishments apply to staff as well', async () => {
  const reviewer = await site.staff(
    'DocumentAPI/DownloadDocumentToBeReviewed',
    'ArticleAPI/CreateArticle',
    'upload/article',
  )
  const { id } = await storeDocument(site, { owner: site.root, status: DocumentStatus.InReview })
  await reviewer.call(downloads.downloadForReview, { id })
  await punish(reviewer, { type: [Punishment.NoDownload, Punishment.NoArticle] })
  const denied = { status: 403, reason: 'punishments.active' }
  expect(await refusal(reviewer.call(downloads.downloadForReview, { id }))).toMatchObject(denied)
  const article = { title: '新作', content: '<p>正文</p>' }
  expect(await refusal(reviewer.call(articles.create, article))).toMatchObject(denied)
  expect(await refusal(sendImage(reviewer, 'article'))).toMatchObject(denied)
})

test('the download terms say that it is forbidden', async () => {
  const member = await site.member()
  const { id } = await storeDocument(site, { owner: site.root })
  await punish(member, { type: [Punishment.NoDownload] })
  const { refusal: sentence } = await member.call(downloads.terms, { id })
  expect(sentence).toBe(`您已被禁止下载。原因：${reason}`)
})

async function prepareAll(member: Person): Promise<Record<string, Attempt>> {
  const attempts: Record<string, Attempt> = {}
  for (const [name, { prepare }] of Object.entries(actions)) attempts[name] = await prepare(member)
  return attempts
}

function pickAttempts(attempts: Record<string, Attempt>, names: readonly string[]): Record<string, Attempt> {
  return Object.fromEntries(Object.entries(attempts).filter(([name]) => names.includes(name)))
}

/** The messages of the attempts that were refused; the others have worked. */
async function collectRefusals(attempts: Record<string, Attempt>): Promise<Record<string, string>> {
  const refused: Record<string, string> = {}
  for (const [name, attempt] of Object.entries(attempts)) {
    await attempt().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      refused[name] = error.message
    })
  }
  return refused
}

function punish({ id }: Person, change: Pick<CallInput<typeof punishments.create>, 'type' | 'end_time'>) {
  return site.root.call(punishments.create, { user_id: [id], enable: true, reason, ...change })
}

async function cancel({ id }: Person): Promise<void> {
  const { punishment } = await site.root.call(punishments.list, { user_id: [id] })
  await site.root.call(punishments.cancel, { id: punishment.map((row) => row.id) })
}

async function logInAgain(member: Person): Promise<Person> {
  const { username, password } = member
  const { token } = await site.call(users.login, { username, password })
  return { ...member, token, call: site.caller({ token }) }
}

async function after(ms: number): Promise<number> {
  const { now } = await site.app.context()
  return now() + ms
}

async function addDocument(): Promise<number> {
  const [id = 0] = await site.addDocuments({})
  return id
}

async function addArticle(author: Person = site.root): Promise<number> {
  const [id = 0] = await addArticles(site, { author })
  return id
}

function commentOn({ call }: Person, document_id: number, type: ContentType): Attempt {
  return () => call(comments.create, { document_id, type, content: '说得好' })
}

function addToFavorites({ call }: Person, document_id: number, type: ContentType): Attempt {
  return () => call(favorites.create, { document_id, type })
}

let fileCount = 0
function pdf(): Uint8Array<ArrayBuffer> {
  return tinyPdf(`number ${(fileCount += 1)}`)
}

function toFileRef(bytes: Uint8Array) {
  return { hash: sha256(bytes), size: bytes.length, name: 'c.pdf' }
}

async function sendForm(
  member: Person,
  bytes: Uint8Array<ArrayBuffer>,
  to = 'document',
  name = 'd.pdf',
): Promise<void> {
  const response = await uploadForm(site, member, { name, bytes, to })
  if (response.status >= 400) throw new ApiError(response)
}

async function sendImage(member: Person, to: 'article' | 'avatar'): Promise<void> {
  const background = { r: (fileCount += 1) % 256, g: 9, b: 9 }
  const png = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
    .png()
    .toBuffer()
  await sendForm(member, new Uint8Array(png), to, 'e.png')
}

function createTusUpload(member: Person, size: number): Promise<Response> {
  const headers = { 'upload-length': String(size), 'upload-metadata': tusMetadata({ filename: 'f.pdf' }) }
  return sendTus(member, 'POST', '/api/v1/upload/tus', { headers })
}

async function sendTus(
  { token }: Person,
  method: string,
  path: string,
  { headers, body }: { headers: Record<string, string>; body?: BodyInit },
): Promise<Response> {
  const base = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const response = await site.request(path, { method, headers: { ...base, ...headers }, body })
  if (response.ok) return response
  const { message } = (await response.json()) as { message: string }
  throw new ApiError({ status: response.status, message })
}

/** A download link is opened by the browser itself: a refusal is an HTML page. */
async function openLink(url: string): Promise<void> {
  const response = await site.request(url)
  const page = await response.text()
  if (response.ok) return
  const escaped = /<body><p>(.*?)<\/p>/.exec(page)?.[1] ?? ''
  const message = escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
  throw new ApiError({ status: response.status, message })
}
