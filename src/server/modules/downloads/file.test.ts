import { Punishment } from '#shared/enums.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { openSite, refusal, type Person, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'
import { contentKey } from '#server/modules/attachments/storage-keys.ts'
import { createDownloadLink } from './link.ts'

let site: Site
let author: Person
beforeAll(async () => {
  site = await openSite()
  author = await site.member()
})
afterAll(() => site.close())

describe('a download link', () => {
  test('is what a member gets who asks for a download', async () => {
    const { id } = await storeDocument(site, { owner: author, content: '所求之文' })
    const reader = await site.member()
    const { url } = await reader.call(downloads.download, { id })
    expect((await site.send('GET', url)).text).toBe('所求之文')
    expect(await refusal(site.call(downloads.download, { id }))).toMatchObject({ status: 401 })
    expect(await reader.call(downloads.terms, { id })).toMatchObject({ price: 0, cost: 0, left: 9, refusal: '' })
  })

  test('is on the domain of the site, where one is set', async () => {
    const { id } = await storeDocument(site, { owner: author, content: '远方之文' })
    const reader = await site.member()
    await site.configure({ 'system.domain': 'https://wenku.example.com' })
    const { url } = await reader.call(downloads.download, { id })
    await site.configure({ 'system.domain': '' })
    expect(url).toMatch(/^https:\/\/wenku\.example\.com\/download\//)
    expect((await site.send('GET', new URL(url).pathname)).text).toBe('远方之文')
    expect((await reader.call(downloads.download, { id })).url).toMatch(/^\/download\//)
  })

  test('needs nothing beside it, and gives the file under its own name', async () => {
    const name = '二〇二六年"度"报告\r\nSet-Cookie: a=1 🎉\u202Efdp.pdf'
    const document = await storeDocument(site, { owner: author, name, content: '正文' })
    const { status, headers, text } = await site.send('GET', await linkFor(document))
    expect([status, text]).toEqual([200, '正文'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '6',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    })
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const disposition = headers.get('content-disposition') ?? ''
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w%.~-]+$/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(
      '二〇二六年_度_报告 Set-Cookie_ a=1 🎉 fdp.pdf',
    )
  })

  test('goes on where it was cut off', async () => {
    const url = await linkFor(await storeDocument(site, { owner: author, content: '0123456789' }))
    const part = await site.send('GET', url, { headers: { range: 'bytes=4-' } })
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '456789', 'bytes 4-9/10'])
    const beyond = await site.send('GET', url, { headers: { range: 'bytes=10-' } })
    expect(beyond.status).toBe(416)
    const etag = part.headers.get('etag') ?? ''
    const same = await site.send('GET', url, { headers: { range: 'bytes=8-9', 'if-range': etag } })
    const other = await site.send('GET', url, { headers: { range: 'bytes=8-9', 'if-range': '"older"' } })
    expect([same.text, other.text]).toEqual(['89', '0123456789'])
    const head = await site.send('HEAD', url)
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10'])
  })

  test('is good for as long as the settings say, and then leads back to the document', async () => {
    await site.configure({ 'download.url_duration': '30' })
    const document = await storeDocument(site, { owner: author })
    const url = await linkFor(document)
    site.advanceClock(28_000)
    expect((await site.send('GET', url)).status).toBe(200)
    site.advanceClock(4000)
    const { status, text, headers } = await site.send('GET', url)
    expect([status, headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    expect(text).toContain('下载链接已失效')
    expect(text).toContain(`href="/document/${document.uuid}"`)
    await site.configure({ 'download.url_duration': '60' })
  })

  test('that we did not make gives nothing and tells nothing', async () => {
    const document = await storeDocument(site, { owner: author })
    const url = await linkFor(document)
    const { keys } = await site.app.context()
    const claims = { document: document.id, user: author.id, hash: document.hash, review: true }
    const signed = (key: Uint8Array, audience: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer('wendou')
        .setAudience(audience)
        .setExpirationTime('1h')
        .sign(key)
    const body = Buffer.from(JSON.stringify({ ...claims, aud: 'download', iss: 'wendou', exp: 9e9 })).toString(
      'base64url',
    )
    const forged = [
      `${url}x`,
      url.replace(/\.[^.]+\./, `.${body}.`),
      `/download/${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
      `/download/${await signed(keys.session, 'download')}`,
      `/download/${await signed(keys.links, 'upload')}`,
      '/download/1',
      '/download/..%2f..%2fetc%2fpasswd',
    ]
    for (const address of forged) {
      const { status, text } = await site.send('GET', address)
      expect([address, status], text).toEqual([address, 400])
      expect(text).not.toContain(document.uuid)
    }
  })
})

describe('a link that was given out', () => {
  test.each([
    ['is disabled', { status: DocumentStatus.Disabled }, 403],
    ['has to be reviewed again', { status: DocumentStatus.InReview }, 403],
    ['is in the recycle bin', { deleted_at: 1 }, 404],
    ['has got another file', { hash: 'f'.repeat(64) }, 400],
  ])('ends when the document %s', async (_what, change, expected) => {
    const document = await storeDocument(site, { owner: author })
    const reader = await site.member()
    const url = await linkFor(document, reader)
    expect((await site.send('GET', url)).status).toBe(200)
    await site.db.updateTable('document').set(change).where('id', '=', document.id).execute()
    const { status, text } = await site.send('GET', url)
    expect(status).toBe(expected)
    expect(text).not.toContain('content of')
  })

  test('ends when the document is gone, or its file', async () => {
    const [purged, lost] = [await storeDocument(site, { owner: author }), await storeDocument(site, { owner: author })]
    const urls = [await linkFor(purged), await linkFor(lost)]
    await site.db.deleteFrom('document').where('id', '=', purged.id).execute()
    await (await site.app.context()).storage.remove([contentKey(lost.hash)])
    for (const url of urls) expect((await site.send('GET', url)).status).toBe(404)
  })

  test('shows the owner and the judge what others may not have', async () => {
    const document = await storeDocument(site, { owner: author, status: DocumentStatus.InReview })
    expect((await site.send('GET', await linkFor(document, author))).status).toBe(200)
    await site.db
      .updateTable('document')
      .set({ status: DocumentStatus.Disabled })
      .where('id', '=', document.id)
      .execute()
    expect((await site.send('GET', await linkFor(document, author))).status).toBe(403)
    const judge = await site.staff('DocumentAPI/DownloadDocumentToBeReviewed')
    expect((await site.send('GET', await linkFor(document, judge, true))).status).toBe(200)
  })

  test('for a judge ends with the right to judge, and every link with its holder', async () => {
    const document = await storeDocument(site, { owner: author, status: DocumentStatus.InReview })
    const judge = await site.staff('DocumentAPI/DownloadDocumentToBeReviewed')
    const url = await linkFor(document, judge, true)
    expect((await site.send('GET', url)).status).toBe(200)
    await site.db.deleteFrom('user_group').where('user_id', '=', judge.id).execute()
    expect((await site.send('GET', url)).status).toBe(403)
    const open = await storeDocument(site, { owner: author })
    const reader = await site.member()
    const theirs = await linkFor(open, reader)
    expect((await site.send('GET', theirs)).status).toBe(200)
    await site.db.deleteFrom('user').where('id', '=', reader.id).execute()
    expect((await site.send('GET', theirs)).status).toBe(400)
  })

  test('ends when its holder may no longer download', async () => {
    const reader = await site.member()
    const url = await linkFor(await storeDocument(site, { owner: author }), reader)
    await site.root.call(punishments.create, {
      user_id: [reader.id],
      type: [Punishment.NoDownload],
      enable: true,
      reason: '<b>盗链</b>',
    })
    const { status, text } = await site.send('GET', url)
    expect(status).toBe(403)
    expect(text).toContain('&#60;b&#62;盗链')
  })

  test('obeys a site that is closed or asks for login', async () => {
    const document = await storeDocument(site, { owner: author })
    const links = await Promise.all([
      linkFor(document, { id: 0 }),
      linkFor(document, author),
      linkFor(document, site.root),
    ])
    const statuses = async () =>
      (await Promise.all(links.map((url) => site.send('GET', url)))).map(({ status }) => status)
    expect(await statuses()).toEqual([200, 200, 200])
    await site.configure({ 'security.login_required': 'true' })
    expect(await statuses()).toEqual([401, 200, 200])
    await site.configure({ 'security.login_required': 'false', 'security.is_close': 'true' })
    expect(await statuses()).toEqual([401, 403, 200])
    await site.configure({ 'security.is_close': 'false' })
  })
})

async function linkFor(document: { id: number; hash: string }, holder: { id: number } = author, review = false) {
  const ctx = await site.app.context()
  return createDownloadLink(ctx, {
    documentId: document.id,
    userId: holder.id,
    hash: document.hash,
    review,
    shareId: 0,
  })
}
