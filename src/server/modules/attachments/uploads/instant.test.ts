import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachments, uploads } from '#shared/contract/attachments.ts'
import { openSite, type Person, refusal, type Site } from '#server/testing/site.ts'
import { openUploads, sha256, somePdf, uploadForm } from '#server/testing/upload.ts'

let site: Site
let owner: Person
let other: Person
const known = new Uint8Array(Buffer.from(randomBytes(900_000).toString('base64')))
beforeAll(async () => {
  site = await openSite()
  await openUploads(site)
  owner = await site.member()
  other = await site.member()
  await uploadForm(site, owner, { name: '已有.txt', bytes: known })
})
afterAll(() => site.close())

interface Asked {
  nonce: string
  range: { start: number; end: number }[]
}

function answer(bytes: Uint8Array, { nonce, range }: Asked): string {
  const hash = createHash('sha256').update(nonce)
  for (const { start, end } of range) hash.update(bytes.subarray(start, end))
  return hash.digest('hex')
}

function challenge(person: Person, bytes: Uint8Array, name = '我的.txt') {
  return person.call(uploads.challenge, { hash: sha256(bytes), size: bytes.length, name })
}

test('who holds a file that is known need not send it', async () => {
  const asked = await challenge(other, known)
  expect(asked.range).toHaveLength(8)
  const { id } = await other.call(uploads.claim, { challenge: asked.challenge, proof: answer(known, asked) })
  const row = await site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row).toMatchObject({ user_id: other.id, name: '我的.txt', hash: sha256(known), size: known.length, type: 2 })
})

test('of a small file all bytes are asked for', async () => {
  const bytes = somePdf('small')
  await uploadForm(site, owner, { name: 'a.pdf', bytes })
  const asked = await challenge(other, bytes, 'b.pdf')
  expect(asked.range).toEqual([{ start: 0, end: bytes.length }])
  const { id } = await other.call(uploads.claim, { challenge: asked.challenge, proof: answer(bytes, asked) })
  expect(id).toBeGreaterThan(0)
})

test('the question does not tell whether the file is known, and an unknown one has to be sent', async () => {
  const unknown = known.map((byte) => (byte + 1) % 128)
  const [one, two] = [await challenge(other, known), await challenge(other, unknown)]
  expect(Object.keys(two)).toEqual(Object.keys(one))
  expect(two.range).toHaveLength(one.range.length)
  expect(two.challenge.length).toBe(one.challenge.length)
  expect(await other.call(uploads.claim, { challenge: two.challenge, proof: answer(unknown, two) })).toEqual({ id: 0 })
})

test('knowing the hash without having the file gives nothing', async () => {
  const before = await countOf(other)
  const asked = await challenge(other, known)
  for (const proof of [
    sha256(known),
    answer(new Uint8Array(known.length), asked),
    createHash('sha256').update(asked.nonce).digest('hex'),
  ]) {
    expect(await other.call(uploads.claim, { challenge: asked.challenge, proof })).toEqual({ id: 0 })
  }
  const wrongSize = await other.call(uploads.challenge, { hash: sha256(known), size: 10, name: 'a.txt' })
  const proof = answer(known, wrongSize)
  expect(await other.call(uploads.claim, { challenge: wrongSize.challenge, proof })).toEqual({ id: 0 })
  expect(await countOf(other)).toBe(before)
})

test('an answer is good for who was asked, for some minutes, and for this question', async () => {
  const asked = await challenge(other, known)
  const proof = answer(known, asked)
  expect(await refusal(owner.call(uploads.claim, { challenge: asked.challenge, proof }))).toMatchObject({
    status: 400,
    reason: 'uploads.challengeWrong',
  })
  const again = await challenge(other, known)
  expect(await other.call(uploads.claim, { challenge: again.challenge, proof })).toEqual({ id: 0 })
  const [text = '', signature = ''] = asked.challenge.split('.')
  const forged = Buffer.from(
    Buffer.from(text, 'base64url').toString().replace(`"user":${other.id}`, `"user":${owner.id}`),
  )
  const attempt = { challenge: `${forged.toString('base64url')}.${signature}`, proof }
  expect(await refusal(owner.call(uploads.claim, attempt))).toMatchObject({ reason: 'uploads.challengeWrong' })
  expect(await refusal(owner.call(uploads.claim, { challenge: 'x', proof }))).toMatchObject({ status: 400 })
  site.pass(5 * 60_000 + 1)
  expect(await refusal(other.call(uploads.claim, { challenge: asked.challenge, proof }))).toMatchObject({
    reason: 'uploads.challengeWrong',
  })
})

test('rights, kinds, sizes, quotas and bans hold as for any upload', async () => {
  const outsider = await site.staff('UserAPI/ListUser')
  expect(await refusal(challenge(outsider, known))).toMatchObject({ reason: 'users.uploadDenied' })
  expect(await refusal(challenge(other, known, 'a.exe'))).toMatchObject({ reason: 'uploads.extDenied' })
  const large = { hash: sha256(known), size: 51 * 1024 * 1024, name: 'a.txt' }
  expect(await refusal(other.call(uploads.challenge, large))).toMatchObject({ reason: 'uploads.tooLarge' })

  const disguised = await challenge(other, known, 'a.pdf')
  const proof = answer(known, disguised)
  expect(await refusal(other.call(uploads.claim, { challenge: disguised.challenge, proof }))).toMatchObject({
    reason: 'uploads.mismatch',
  })

  await site.configure({ 'security.upload_count_every_day': '1' })
  const fresh = await site.member()
  const [first, second] = [await challenge(fresh, known), await challenge(fresh, known)]
  const claim = (asked: typeof first) =>
    fresh.call(uploads.claim, { challenge: asked.challenge, proof: answer(known, asked) })
  expect((await claim(first)).id).toBeGreaterThan(0)
  expect(await refusal(claim(second))).toMatchObject({ status: 429, reason: 'uploads.quotaCount' })
  await site.configure({ 'security.upload_count_every_day': '0' })

  const asked = await challenge(other, known)
  const { attachment } = await site.root.call(attachments.list, { user_id: [owner.id], ext: 'txt' })
  const id = attachment[0]?.id ?? 0
  await site.root.call(attachments.update, { id, name: '已有.txt', enable: false })
  const banned = other.call(uploads.claim, { challenge: asked.challenge, proof: answer(known, asked) })
  expect(await refusal(banned)).toMatchObject({ status: 403, reason: 'uploads.banned' })
})

async function countOf({ id }: Person): Promise<number> {
  return (await site.db.selectFrom('attachment').select('id').where('user_id', '=', id).execute()).length
}
