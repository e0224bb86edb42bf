import { AttachmentType } from '#shared/enums.ts'
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachments, uploads } from '#shared/contract/attachments.ts'
import { writeTempFile } from '#server/testing/folder.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { sha256, tinyPdf, uploadForm } from '#server/testing/upload.ts'
import { storeCrawledFile } from '../crawled-files.ts'

let site: Site
let owner: Person
let claimant: Person
const stored = new Uint8Array(Buffer.from(randomBytes(900_000).toString('base64')))
beforeAll(async () => {
  site = await openSite()
  owner = await site.member()
  claimant = await site.member()
  await uploadForm(site, owner, { name: '已有.txt', bytes: stored })
})
afterAll(() => site.close())

interface ChallengeInput {
  nonce: string
  range: { start: number; end: number }[]
}

function computeProof(bytes: Uint8Array, { nonce, range }: ChallengeInput): string {
  const hash = createHash('sha256').update(nonce)
  for (const { start, end } of range) hash.update(bytes.subarray(start, end))
  return hash.digest('hex')
}

function challenge(person: Person, bytes: Uint8Array, name = '我的.txt') {
  return person.call(uploads.challenge, { hash: sha256(bytes), size: bytes.length, name })
}

test('a member with a copy of a stored file need not upload it', async () => {
  const issued = await challenge(claimant, stored)
  expect(issued.range).toHaveLength(8)
  const { id } = await claimant.call(uploads.claim, {
    challenge: issued.challenge,
    proof: computeProof(stored, issued),
  })
  const row = await site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    user_id: claimant.id,
    name: '我的.txt',
    hash: sha256(stored),
    size: stored.length,
    type: AttachmentType.Document,
  })
})

test('nor need it be uploaded if only the crawler has stored it', async () => {
  const bytes = tinyPdf('crawled')
  const { path, size } = writeTempFile('a.pdf', bytes)
  const file = { path, size, hash: sha256(bytes), name: 'a.pdf', ownerId: owner.id }
  await storeCrawledFile(await site.app.context(), file)
  const issued = await challenge(claimant, bytes, '我的.pdf')
  const { id } = await claimant.call(uploads.claim, { challenge: issued.challenge, proof: computeProof(bytes, issued) })
  const row = await site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ user_id: claimant.id, type: AttachmentType.Document })
})

test('the challenge for a small file covers all bytes', async () => {
  const bytes = tinyPdf('small')
  await uploadForm(site, owner, { name: 'a.pdf', bytes })
  const issued = await challenge(claimant, bytes, 'b.pdf')
  expect(issued.range).toEqual([{ start: 0, end: bytes.length }])
  const { id } = await claimant.call(uploads.claim, { challenge: issued.challenge, proof: computeProof(bytes, issued) })
  expect(id).toBeGreaterThan(0)
})

test('the challenge does not reveal whether the file is stored, and an unknown one has to be uploaded', async () => {
  const unknown = stored.map((byte) => (byte + 1) % 128)
  const [forStored, forUnknown] = [await challenge(claimant, stored), await challenge(claimant, unknown)]
  expect(Object.keys(forUnknown)).toEqual(Object.keys(forStored))
  expect(forUnknown.range).toHaveLength(forStored.range.length)
  expect(forUnknown.challenge.length).toBe(forStored.challenge.length)
  expect(
    await claimant.call(uploads.claim, { challenge: forUnknown.challenge, proof: computeProof(unknown, forUnknown) }),
  ).toEqual({
    id: 0,
  })
})

test('the hash alone is not enough', async () => {
  const before = await countAttachments(claimant)
  const issued = await challenge(claimant, stored)
  for (const proof of [
    sha256(stored),
    computeProof(new Uint8Array(stored.length), issued),
    createHash('sha256').update(issued.nonce).digest('hex'),
  ]) {
    expect(await claimant.call(uploads.claim, { challenge: issued.challenge, proof })).toEqual({ id: 0 })
  }
  const wrongSize = await claimant.call(uploads.challenge, { hash: sha256(stored), size: 10, name: 'a.txt' })
  const proof = computeProof(stored, wrongSize)
  expect(await claimant.call(uploads.claim, { challenge: wrongSize.challenge, proof })).toEqual({ id: 0 })
  expect(await countAttachments(claimant)).toBe(before)
})

test('a proof is valid for the member who was challenged, for some minutes, and for this challenge', async () => {
  const issued = await challenge(claimant, stored)
  const proof = computeProof(stored, issued)
  expect(await refusal(owner.call(uploads.claim, { challenge: issued.challenge, proof }))).toMatchObject({
    status: 400,
    reason: 'uploads.challengeWrong',
  })
  const second = await challenge(claimant, stored)
  expect(await claimant.call(uploads.claim, { challenge: second.challenge, proof })).toEqual({ id: 0 })
  const [text = '', signature = ''] = issued.challenge.split('.')
  const forged = Buffer.from(
    Buffer.from(text, 'base64url').toString().replace(`"user":${claimant.id}`, `"user":${owner.id}`),
  )
  const attempt = { challenge: `${forged.toString('base64url')}.${signature}`, proof }
  expect(await refusal(owner.call(uploads.claim, attempt))).toMatchObject({ reason: 'uploads.challengeWrong' })
  expect(await refusal(owner.call(uploads.claim, { challenge: 'x', proof }))).toMatchObject({ status: 400 })
  site.advanceClock(5 * 60_000 + 1)
  expect(await refusal(claimant.call(uploads.claim, { challenge: issued.challenge, proof }))).toMatchObject({
    reason: 'uploads.challengeWrong',
  })
})

test('permissions, formats, sizes, quotas and bans apply as for any upload', async () => {
  const outsider = await site.staff('UserAPI/ListUser')
  expect(await refusal(challenge(outsider, stored))).toMatchObject({ reason: 'users.uploadDenied' })
  expect(await refusal(challenge(claimant, stored, 'a.exe'))).toMatchObject({ reason: 'uploads.extDenied' })
  const large = { hash: sha256(stored), size: 51 * 1024 * 1024, name: 'a.txt' }
  expect(await refusal(claimant.call(uploads.challenge, large))).toMatchObject({ reason: 'uploads.tooLarge' })

  const disguised = await challenge(claimant, stored, 'a.pdf')
  const proof = computeProof(stored, disguised)
  expect(await refusal(claimant.call(uploads.claim, { challenge: disguised.challenge, proof }))).toMatchObject({
    reason: 'uploads.mismatch',
  })

  await site.configure({ 'security.upload_count_every_day': '1' })
  const fresh = await site.member()
  const [first, second] = [await challenge(fresh, stored), await challenge(fresh, stored)]
  const claim = (issued: typeof first) =>
    fresh.call(uploads.claim, { challenge: issued.challenge, proof: computeProof(stored, issued) })
  expect((await claim(first)).id).toBeGreaterThan(0)
  expect(await refusal(claim(second))).toMatchObject({ status: 429, reason: 'uploads.quotaCount' })
  await site.configure({ 'security.upload_count_every_day': '0' })

  const issued = await challenge(claimant, stored)
  const { attachment } = await site.root.call(attachments.list, { user_id: [owner.id], ext: 'txt' })
  const id = attachment[0]?.id ?? 0
  await site.root.call(attachments.update, { id, name: '已有.txt', enable: false })
  const banned = claimant.call(uploads.claim, { challenge: issued.challenge, proof: computeProof(stored, issued) })
  expect(await refusal(banned)).toMatchObject({ status: 403, reason: 'uploads.banned' })
})

async function countAttachments({ id }: Person): Promise<number> {
  return (await site.db.selectFrom('attachment').select('id').where('user_id', '=', id).execute()).length
}
