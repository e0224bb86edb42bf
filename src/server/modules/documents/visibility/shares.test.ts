import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '#shared/client.ts'
import { documentShares } from '#shared/contract/document-shares.ts'
import { documents } from '#shared/contract/documents.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { Visibility } from '#shared/enums.ts'
import { errors } from '#shared/errors.ts'
import { type DocumentFixture, type DocumentSite, openDocumentSite } from '#server/testing/document-site.ts'
import { type Person, refusal } from '#server/testing/site.ts'
import { shareKeyHeader } from '#server/http/api/shared-replies.ts'

const hourMs = 3_600_000

let site: DocumentSite
let author: Person
let visitors = 0
beforeAll(async () => {
  site = await openDocumentSite()
  site.freezeClock()
  await site.configure({
    'download.enable_guest_download': 'true',
    'download.times_every_ip': '1000',
    'download.times_every_day': '1000',
  })
  author = await site.author()
})
afterAll(() => site.close())

async function addDocument(fixture: DocumentFixture = {}): Promise<number> {
  const { hash } = await site.upload(author)
  const texts = ['第一页', '第二页']
  const [id = 0] = await site.addDocuments({ owner: author, hash, texts, visibility: Visibility.Link, ...fixture })
  return id
}

/** Another visitor, at an address of their own. */
function visitor(headers: Record<string, string> = {}) {
  visitors += 1
  return site.caller({ ip: `10.3.${visitors >> 8}.${visitors & 255}`, headers })
}

async function holderOf(token: string, password = '') {
  const { key } = await visitor()(documentShares.open, { token, password })
  return visitor({ [shareKeyHeader]: key })
}

interface Options {
  password?: string
  ends_at?: number
  downloads?: number
}

function createShare(id: number, options: Options = {}) {
  return author.call(documentShares.create, { document_id: id, ...options })
}

async function share(options: Options = {}, fixture: DocumentFixture = {}) {
  const document = await addDocument(fixture)
  return { ...(await createShare(document, options)), document }
}

describe('a share link', () => {
  test('opens its document and nothing else', async () => {
    const { document, token } = await share()
    expect(token).toMatch(/^[\w-]{22}$/)
    const other = await addDocument()
    const call = await holderOf(token)
    const { attachment } = await call(documents.get, { id: document })
    expect((await site.request(`/view/text/${attachment.hash}/2.json`)).status).toBe(200)
    expect(await refusal(call(documents.get, { id: other }))).toMatchObject({ status: 404 })
    expect(await refusal(visitor()(documents.get, { id: document }))).toMatchObject({ status: 404 })
  })

  test('is not guessed: wrong ones are slowed down', async () => {
    const call = visitor()
    const guess = () => refusal(call(documentShares.open, { token: 'A'.repeat(22) }))
    const reasons: string[] = []
    for (let round = 0; round < 30; round += 1) reasons.push((await guess()).reason)
    expect(reasons.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => errors.shares.notFound().reason))
    expect(reasons.at(-1)).toBe(errors.users.slowDown(1).reason)
    const { token } = await share()
    expect(await refusal(call(documentShares.open, { token }))).toMatchObject({ status: 429 })
    expect((await visitor()(documentShares.open, { token })).key).not.toBe('')
  })

  test.each(['1.9999999999999.AAAA', '1.1.AAAA', '', 'nonsense,', '0.0.'])(
    'is not replaced by a forged key: %s',
    async (key) => {
      const { document } = await share()
      expect(await refusal(visitor({ [shareKeyHeader]: key })(documents.get, { id: document }))).toMatchObject({
        status: 404,
      })
    },
  )

  test('closes at its end, for those who have it open too', async () => {
    const { document, token } = await share({ ends_at: (await site.app.context()).now() + hourMs })
    const call = await holderOf(token)
    const { attachment, cover } = await call(documents.get, { id: document })
    const { url } = await call(downloads.download, { id: document })
    site.advanceClock(hourMs)
    expect(await refusal(call(documents.get, { id: document }))).toMatchObject({ status: 404 })
    expect((await site.request(`/view/text/${attachment.hash}/1.json`)).status).toBe(404)
    expect((await site.request(cover)).status).toBe(404)
    expect((await site.request(url)).status).toBeGreaterThanOrEqual(400)
    const { reason } = await refusal(visitor()(documentShares.open, { token }))
    expect(reason).toBe(errors.shares.ended().reason)
  })

  test('closes when its maker ends it, or takes the document back', async () => {
    const { document, id, token } = await share()
    const call = await holderOf(token)
    const { url } = await call(downloads.download, { id: document })
    expect((await site.request(url)).status).toBe(200)
    await author.call(documentShares.end, { id: [id] })
    expect(await refusal(call(documents.get, { id: document }))).toMatchObject({ status: 404 })
    expect((await site.request(url)).status).toBe(403)
    const next = await createShare(document)
    const again = await holderOf(next.token)
    await author.call(documents.setVisibility, { id: [document], visibility: Visibility.Private })
    expect(await refusal(again(documents.get, { id: document }))).toMatchObject({ status: 404 })
    const { reason } = await refusal(visitor()(documentShares.open, { token: next.token }))
    expect(reason).toBe(errors.shares.closed().reason)
  })

  test('asks for its password, and slows down those who guess it', async () => {
    const { document, token } = await share({ password: '芝麻开门' })
    const call = visitor()
    const open = (password = '') => call(documentShares.open, { token, password })
    expect(await refusal(open())).toMatchObject({ reason: errors.shares.passwordNeeded().reason })
    for (let round = 0; round < 5; round += 1)
      expect(await refusal(open(`guess ${round}`))).toMatchObject({ reason: errors.shares.passwordWrong().reason })
    await refusal(open('sixth'))
    expect(await refusal(open('芝麻开门'))).toMatchObject({ status: 429 })
    const holder = await holderOf(token, '芝麻开门')
    expect((await holder(documents.get, { id: document })).id).toBe(document)
    const { password } = await site.db
      .selectFrom('document_share')
      .select('password')
      .where('token', '=', token)
      .executeTakeFirstOrThrow()
    expect(password).toMatch(/^\$argon2id\$/)
  })

  test('gives no more downloads than it has, also to many at once', async () => {
    const { document, token } = await share({ downloads: 3 })
    const call = await holderOf(token)
    const holders = await Promise.all(Array.from({ length: 10 }, () => holderOf(token)))
    const attempts = await Promise.allSettled(holders.map((holder) => holder(downloads.download, { id: document })))
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect((await call(downloads.terms, { id: document })).reason).toBe(errors.shares.usedUp().reason)
    expect((await call(documents.get, { id: document })).download_count).toBe(3)
    const [row] = (await author.call(documentShares.list, { document_id: document })).share
    expect(row).toMatchObject({ is_limited: true, downloads_left: 0, download_count: 3 })
    expect((await author.call(downloads.download, { id: document })).url).not.toBe('')
  })

  test('counts a download once, however often its address is followed while it is good', async () => {
    const { document, token } = await share({ downloads: 1 })
    const call = await holderOf(token)
    expect(await call(downloads.terms, { id: document })).toMatchObject({ share_left: 1, url_seconds: 60 })
    const { url } = await call(downloads.download, { id: document })
    for (let time = 0; time < 3; time += 1) {
      expect((await site.request(url)).status).toBe(200)
      site.advanceClock(10_000)
    }
    expect(await call(downloads.terms, { id: document })).toMatchObject({ share_left: 0 })
    const [row] = (await author.call(documentShares.list, { document_id: document })).share
    expect(row).toMatchObject({ downloads_left: 0, download_count: 1 })
    site.advanceClock(60_000)
    expect((await site.request(url)).status).toBe(400)
  })

  test('counts the download of one holder once while its address is good, in whatever page or client it is repeated', async () => {
    const { document, token } = await share({ downloads: 2 })
    const { key } = await visitor()(documentShares.open, { token })
    const member = await site.member()
    const atAddress = (ip: string) => site.caller({ ip, headers: { [shareKeyHeader]: key } })
    const onDevice = (ip: string) => site.caller({ token: member.token, ip, headers: { [shareKeyHeader]: key } })
    const takeAt = (call: Call) => call(downloads.download, { id: document })
    const counted = async () => {
      const [row] = (await author.call(documentShares.list, { document_id: document })).share
      const { download_count } = await author.call(documents.get, { id: document })
      return { left: row?.downloads_left, byLink: row?.download_count, ofDocument: download_count }
    }
    await Promise.all([takeAt(atAddress('10.4.0.1')), takeAt(atAddress('10.4.0.1'))])
    expect(await counted()).toEqual({ left: 1, byLink: 1, ofDocument: 1 })
    // A member on another device is the same member.
    await takeAt(onDevice('10.4.0.2'))
    await takeAt(onDevice('10.4.0.3'))
    expect(await counted()).toEqual({ left: 0, byLink: 2, ofDocument: 2 })
    for (const call of [atAddress('10.4.0.1'), onDevice('10.4.0.3')])
      expect(await call(downloads.terms, { id: document })).toMatchObject({
        is_repeat: true,
        share_left: 0,
        refusal: '',
      })
    expect(await refusal(takeAt(atAddress('10.4.0.4')))).toMatchObject({ reason: 'shares.usedUp' })
    // Repeats do not make the time longer.
    site.advanceClock(50_000)
    await takeAt(atAddress('10.4.0.1'))
    site.advanceClock(20_000)
    for (const call of [atAddress('10.4.0.1'), onDevice('10.4.0.2')]) {
      expect(await refusal(takeAt(call))).toMatchObject({ reason: 'shares.usedUp' })
      expect(await call(downloads.terms, { id: document })).toMatchObject({ is_repeat: false, share_left: 0 })
    }
  })

  test('without downloads lets read only', async () => {
    const { document, token } = await share({ downloads: 0 })
    const call = await holderOf(token)
    expect((await call(documents.get, { id: document })).id).toBe(document)
    expect(await refusal(call(downloads.download, { id: document }))).toMatchObject({ status: 403 })
  })

  test('changes neither the price nor the preview', async () => {
    await site.configure({ 'converter.max_preview_percent': '50' })
    const { document, token } = await share({}, { price: 5 })
    const call = await holderOf(token)
    expect(await refusal(call(downloads.download, { id: document }))).toMatchObject({
      reason: errors.documents.guestPays().reason,
    })
    expect((await call(documents.get, { id: document })).preview).toBe(1)
    await site.configure({ 'converter.max_preview_percent': '100' })
  })

  test('needs a login on a site that requires one', async () => {
    const { document, token } = await share()
    const member = await site.member()
    await site.configure({ 'security.login_required': 'true' })
    try {
      expect(await refusal(visitor()(documentShares.open, { token }))).toMatchObject({ status: 401 })
      const { key } = await member.call(documentShares.open, { token })
      const call = site.caller({ token: member.token, headers: { [shareKeyHeader]: key } })
      const { attachment } = await call(documents.get, { id: document })
      expect((await site.request(`/view/text/${attachment.hash}/1.json`)).status).toBe(200)
    } finally {
      await site.configure({ 'security.login_required': 'false' })
    }
  })

  test('needs no key for those who may see the document anyway', async () => {
    const { token } = await share({ password: '芝麻开门' })
    expect((await author.call(documentShares.open, { token })).key).toBe('')
  })
})

describe('share links are made', () => {
  test('by the owner or staff, for documents that open by link', async () => {
    const id = await addDocument()
    const otherMember = await site.member()
    expect(await refusal(otherMember.call(documentShares.create, { document_id: id }))).toMatchObject({ status: 404 })
    expect(await refusal(otherMember.call(documentShares.list, { document_id: id }))).toMatchObject({ status: 404 })
    const staff = await site.staff('DocumentAPI/UpdateDocument')
    const made = await staff.call(documentShares.create, { document_id: id })
    expect(await refusal(otherMember.call(documentShares.end, { id: [made.id] }))).toMatchObject({ status: 404 })
    const [open = 0] = await site.addDocuments({ owner: author })
    expect(await refusal(createShare(open))).toMatchObject({ reason: errors.shares.notByLink().reason })
    const past = (await site.app.context()).now()
    expect(await refusal(createShare(id, { ends_at: past }))).toMatchObject({ reason: errors.shares.endPast().reason })
  })

  test('up to a number, of which ended ones do not count', async () => {
    const id = await addDocument()
    const made = await Promise.all(Array.from({ length: 50 }, () => createShare(id)))
    expect(await refusal(createShare(id))).toMatchObject({ reason: errors.shares.tooMany(50).reason })
    await author.call(documentShares.end, { id: [made[0]?.id ?? 0] })
    await createShare(id)
    expect((await author.call(documentShares.list, { document_id: id })).share).toHaveLength(51)
  })
})
