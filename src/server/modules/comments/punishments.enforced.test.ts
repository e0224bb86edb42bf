import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { groups, punishments } from '#shared/contract/access.ts'
import { articles } from '#shared/contract/articles.ts'
import { uploads } from '#shared/contract/attachments.ts'
import { credits } from '#shared/contract/credits.ts'
import { documents } from '#shared/contract/documents.ts'
import { comments, favorites, reports } from '#shared/contract/social.ts'
import { users } from '#shared/contract/users.ts'
import type { Ask } from '#shared/endpoint.ts'
import { type Punishment, punishmentLabels } from '#shared/enums.ts'
import { ApiError } from '#shared/errors.ts'
import { formatTime } from '#shared/format.ts'
import { type Library, openLibrary } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/stored-document.ts'
import { tusMetadata } from '#server/testing/tus.ts'
import { sha256, somePdf, uploadForm } from '#server/testing/upload.ts'
import { writeArticles } from '#server/testing/written-article.ts'

const minute = 60_000
/** Shorter than a claim may wait, so that what was prepared before is still good after. */
const span = 4 * minute
const reason = '多次违规，<b>屡教不改</b>'

let site: Library
beforeAll(async () => {
  site = await openLibrary()
  const standard = await site.call(groups.get, { id: 2 })
  const allowed = { enable_upload: true, enable_article: true, enable_comment: true, enable_comment_approval: false }
  await site.root.call(groups.update, { ...standard, ...allowed })
  await site.configure({
    'security.comment_interval': '0',
    'download.url_duration': '36000',
    'download.times_every_ip': '1000',
    'download.times_every_day': '1000',
  })
  site.holdClock()
})
afterAll(() => site.close())

type Attempt = () => Promise<unknown>
interface Deed {
  /** The kind of punishment that forbids it, beside a disabled account. */
  by?: Punishment
  /** What has to be there before: made while the member may still do everything. The attempt may be made again. */
  prepare: (member: Person) => Promise<Attempt>
}

const deeds: Record<string, Deed> = {
  'comment on a document': { by: 2, prepare: async (member) => speak(member, await shelved(), 0) },
  'comment on an article': { by: 2, prepare: async (member) => speak(member, await written(), 1) },
  'answer a comment': {
    by: 2,
    prepare: async (member) => {
      const document_id = await shelved()
      const { id } = await site.root.call(comments.create, { document_id, content: '在吗' })
      return () => member.call(comments.create, { document_id, parent_id: id, content: '在' })
    },
  },

  'ask whether they may upload': {
    by: 3,
    prepare:
      async ({ call }) =>
      () =>
        call(users.canUploadDocument),
  },
  'upload a file in a form': { by: 3, prepare: async (member) => () => sendForm(member, pdf()) },
  'begin an upload in pieces': {
    by: 3,
    prepare: async (member) => () => beginPieces(member, 10),
  },
  'go on with an upload that was begun before': {
    by: 3,
    prepare: async (member) => {
      const bytes = pdf()
      const { headers } = await beginPieces(member, bytes.length)
      const path = headers.get('location') ?? ''
      const next = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      return () => sendTus(member, 'PATCH', path, { headers: next, body: bytes })
    },
  },
  'ask to prove that they hold a file': {
    by: 3,
    prepare: async (member) => () => member.call(uploads.challenge, fileOf(pdf())),
  },
  'claim a file that is known': {
    by: 3,
    prepare: async (member) => {
      const bytes = pdf()
      await sendForm(member, bytes)
      const { nonce, challenge } = await member.call(uploads.challenge, fileOf(bytes))
      const proof = createHash('sha256').update(nonce).update(bytes).digest('hex')
      return async () => {
        const { id } = await member.call(uploads.claim, { challenge, proof })
        if (id === 0) throw new Error('the file was not known')
      }
    },
  },
  'publish a file that was uploaded before': {
    by: 3,
    prepare: async (member) => {
      const { id } = await site.upload(member)
      return () => member.call(documents.create, { document: [{ attachment_id: id }] })
    },
  },

  'download a document': {
    by: 4,
    prepare: async (member) => {
      const { id } = await storeDocument(site, { owner: site.root })
      return () => member.call(documents.download, { id })
    },
  },
  'download their own document': {
    by: 4,
    prepare: async (member) => {
      const { id } = await storeDocument(site, { owner: member })
      return () => member.call(documents.download, { id })
    },
  },
  'use a link that was given out before': {
    by: 4,
    prepare: async (member) => {
      const { id } = await storeDocument(site, { owner: site.root })
      const { url } = await member.call(documents.download, { id })
      return () => fetched(url)
    },
  },

  'keep a document': { by: 5, prepare: async (member) => keep(member, await shelved(), 0) },
  'keep an article': { by: 5, prepare: async (member) => keep(member, await written(), 1) },

  'ask whether they may publish': {
    by: 6,
    prepare:
      async ({ call }) =>
      () =>
        call(users.canPublishArticle),
  },
  'publish an article': {
    by: 6,
    prepare: async (member) => () => member.call(articles.create, { title: '新作', content: '<p>正文</p>' }),
  },
  'rewrite their own article': {
    by: 6,
    prepare: async (member) => {
      const id = await written(member)
      return () => member.call(articles.update, { id, title: '改过', content: '<p>改过的正文</p>' })
    },
  },
  'send a picture for an article': { by: 6, prepare: async (member) => () => sendPicture(member, 'article') },

  'check in': {
    prepare:
      async ({ call }) =>
      () =>
        call(credits.sign),
  },
  'edit their profile': {
    prepare:
      async ({ call }) =>
      () =>
        call(users.profile, { signature: '还在' }),
  },
  'send an avatar': { prepare: async (member) => () => sendPicture(member, 'avatar') },
  'report a document': {
    prepare: async (member) => {
      const document_id = await shelved()
      return () => member.call(reports.create, { document_id, reason: 1 })
    },
  },
  'score a document': {
    prepare: async (member) => {
      const document_id = await shelved()
      return () => member.call(documents.addScore, { document_id, score: 400 })
    },
  },
  'take back a favourite': {
    prepare: async (member) => {
      const { id } = await member.call(favorites.create, { document_id: await shelved() })
      return () => member.call(favorites.delete, { id: [id] })
    },
  },
  'delete their own comment': {
    prepare: async (member) => {
      const { id } = await member.call(comments.create, { document_id: await shelved(), content: '说错了' })
      return () => member.call(comments.delete, { id: [id] })
    },
  },
  'delete their own document': {
    prepare: async (member) => {
      const [id = 0] = await site.shelve({ owner: member })
      return () => member.call(documents.delete, { id: [id] })
    },
  },
  'delete their own article': {
    prepare: async (member) => {
      const id = await written(member)
      return () => member.call(articles.delete, { id: [id] })
    },
  },
}

describe.each([2, 3, 4, 5, 6] as const)('kind %d', (kind) => {
  const named = Object.keys(deeds).filter((name) => deeds[name]?.by === kind)

  test('forbids what it names and nothing else, at once, and says until when and why; then it ends', async () => {
    const member = await site.member()
    const attempts = await prepared(member)
    const until = await after(span)
    await punish(member, { type: [kind], end_time: until })
    const sentence = `您已被${punishmentLabels[kind]}，${formatTime(until)} 解除。原因：${reason}`
    const refused = Object.fromEntries(named.map((name) => [name, sentence]))
    expect(await refusedAmong(attempts)).toEqual(refused)
    site.pass(span - 1)
    expect(await refusedAmong(only(attempts, named))).toEqual(refused)
    site.pass(1)
    expect(await refusedAmong(only(attempts, named))).toEqual({})
  })

  test('forbids nothing any more once it is cancelled', async () => {
    const member = await site.member()
    const attempts = only(await prepared(member), named)
    await punish(member, { type: [kind] })
    expect(Object.keys(await refusedAmong(attempts))).toEqual(named)
    await cancel(member)
    expect(await refusedAmong(attempts)).toEqual({})
  })
})

describe('a disabled account', () => {
  test('can do nothing with a token it had, nor get another; at the end it can do everything', async () => {
    const member = await site.member()
    const attempts = await prepared(member)
    const until = await after(span)
    await punish(member, { type: [1], end_time: until })
    const sentence = `您已被禁用账号，${formatTime(until)} 解除。原因：${reason}`
    const link = 'use a link that was given out before'
    const nobody = Object.fromEntries(Object.keys(deeds).map((name) => [name, name === link ? sentence : '请先登录']))
    expect(await refusedAmong(attempts)).toEqual(nobody)
    const { username, password } = member
    expect(await refusal(site.call(users.login, { username, password }))).toMatchObject({
      status: 403,
      reason: 'punishments.active',
      message: sentence,
    })
    site.pass(span)
    // The old token is dead for good: whoever holds it may not be who logs in now.
    expect(await refusal(member.call(users.get))).toMatchObject({ status: 401 })
    expect(await refusedAmong(await prepared(await again(member)))).toEqual({})
  })

  test('can do everything again once that is cancelled', async () => {
    const member = await site.member()
    await punish(member, { type: [1] })
    await cancel(member)
    expect(await refusedAmong(await prepared(await again(member)))).toEqual({})
  })
})

test('of two punishments of one kind the longer one counts, and is the one that is told', async () => {
  const member = await site.member()
  const attempt = speak(member, await shelved(), 0)
  const [soon, late] = [await after(span), await after(2 * span)]
  await punish(member, { type: [2], end_time: late })
  await punish(member, { type: [2], end_time: soon })
  expect(await refusal(attempt())).toMatchObject({ message: expect.stringContaining(formatTime(late)) })
  site.pass(span)
  expect(await refusal(attempt())).toMatchObject({ message: expect.stringContaining(formatTime(late)) })
  await punish(member, { type: [2] })
  expect(await refusal(attempt())).toMatchObject({ message: `您已被禁止评论。原因：${reason}` })
})

test('staff are bound by them like everybody', async () => {
  const judge = await site.staff(
    'DocumentAPI/DownloadDocumentToBeReviewed',
    'ArticleAPI/CreateArticle',
    'upload/article',
  )
  const { id } = await storeDocument(site, { owner: site.root, status: 6 })
  await judge.call(documents.downloadForReview, { id })
  await punish(judge, { type: [4, 6] })
  const forbidden = { status: 403, reason: 'punishments.active' }
  expect(await refusal(judge.call(documents.downloadForReview, { id }))).toMatchObject(forbidden)
  const article = { title: '新作', content: '<p>正文</p>' }
  expect(await refusal(judge.call(articles.create, article))).toMatchObject(forbidden)
  expect(await refusal(sendPicture(judge, 'article'))).toMatchObject(forbidden)
})

test('who is told what a download would cost is told that they may not', async () => {
  const member = await site.member()
  const { id } = await storeDocument(site, { owner: site.root })
  await punish(member, { type: [4] })
  const { refusal: sentence } = await member.call(documents.terms, { id })
  expect(sentence).toBe(`您已被禁止下载。原因：${reason}`)
})

async function prepared(member: Person): Promise<Record<string, Attempt>> {
  const attempts: Record<string, Attempt> = {}
  for (const [name, { prepare }] of Object.entries(deeds)) attempts[name] = await prepare(member)
  return attempts
}

function only(attempts: Record<string, Attempt>, names: readonly string[]): Record<string, Attempt> {
  return Object.fromEntries(Object.entries(attempts).filter(([name]) => names.includes(name)))
}

/** What was said to those that were refused; the others have worked. */
async function refusedAmong(attempts: Record<string, Attempt>): Promise<Record<string, string>> {
  const refused: Record<string, string> = {}
  for (const [name, attempt] of Object.entries(attempts)) {
    await attempt().catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      refused[name] = error.message
    })
  }
  return refused
}

function punish({ id }: Person, change: Pick<Ask<typeof punishments.create>, 'type' | 'end_time'>) {
  return site.root.call(punishments.create, { user_id: [id], enable: true, reason, ...change })
}

async function cancel({ id }: Person): Promise<void> {
  const { punishment } = await site.root.call(punishments.list, { user_id: [id] })
  await site.root.call(punishments.cancel, { id: punishment.map((row) => row.id) })
}

async function again(member: Person): Promise<Person> {
  const { username, password } = member
  const { token } = await site.call(users.login, { username, password })
  return { ...member, token, call: site.caller({ token }) }
}

async function after(ms: number): Promise<number> {
  const { now } = await site.app.context()
  return now() + ms
}

async function shelved(): Promise<number> {
  const [id = 0] = await site.shelve({})
  return id
}

async function written(author: Person = site.root): Promise<number> {
  const [id = 0] = await writeArticles(site, { author })
  return id
}

function speak({ call }: Person, document_id: number, type: number): Attempt {
  return () => call(comments.create, { document_id, type, content: '说得好' })
}

function keep({ call }: Person, document_id: number, type: number): Attempt {
  return () => call(favorites.create, { document_id, type })
}

let made = 0
function pdf(): Uint8Array<ArrayBuffer> {
  return somePdf(`number ${(made += 1)}`)
}

function fileOf(bytes: Uint8Array) {
  return { hash: sha256(bytes), size: bytes.length, name: 'c.pdf' }
}

async function sendForm(
  member: Person,
  bytes: Uint8Array<ArrayBuffer>,
  to = 'document',
  name = 'd.pdf',
): Promise<void> {
  const answer = await uploadForm(site, member, { name, bytes, to })
  if (answer.status >= 400) throw new ApiError(answer)
}

async function sendPicture(member: Person, to: 'article' | 'avatar'): Promise<void> {
  const background = { r: (made += 1) % 256, g: 9, b: 9 }
  const drawn = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
    .png()
    .toBuffer()
  await sendForm(member, new Uint8Array(drawn), to, 'e.png')
}

function beginPieces(member: Person, size: number): Promise<Response> {
  const headers = { 'upload-length': String(size), 'upload-metadata': tusMetadata({ filename: 'f.pdf' }) }
  return sendTus(member, 'POST', '/api/v1/upload/tus', { headers })
}

async function sendTus(
  { token }: Person,
  method: string,
  path: string,
  { headers, body }: { headers: Record<string, string>; body?: BodyInit },
): Promise<Response> {
  const known = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const response = await site.request(path, { method, headers: { ...known, ...headers }, body })
  if (response.ok) return response
  const { message } = (await response.json()) as { message: string }
  throw new ApiError({ status: response.status, message })
}

/** A link opens in a browser by itself: what it says is on a page. */
async function fetched(url: string): Promise<void> {
  const response = await site.request(url)
  const page = await response.text()
  if (response.ok) return
  const said = /<body><p>(.*?)<\/p>/.exec(page)?.[1] ?? ''
  const message = said.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
  throw new ApiError({ status: response.status, message })
}
