import { createHash, randomBytes } from 'node:crypto'
import { createSHA256 } from 'hash-wasm'
import { expect, test } from 'vitest'
import { hashBlob, possessionProof } from '#web/features/documents/upload/transfer/possession-proof.ts'

const bytes = new Uint8Array(randomBytes(5 * 1024 * 1024 + 17))
const file = new Blob([bytes])

function sha256(...parts: (Uint8Array | string)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

test('a file of several chunks gets the hash that the server computes, with progress', async () => {
  const progress: number[] = []
  expect(await hashBlob(file, await createSHA256(), (bytes) => progress.push(bytes))).toBe(sha256(bytes))
  expect(progress).toEqual([2 * 1024 * 1024, 4 * 1024 * 1024, bytes.length])
})

test('an empty file has the hash of an empty string', async () => {
  expect(await hashBlob(new Blob([]), await createSHA256(), () => {})).toBe(sha256(''))
})

test('the proof is the hash of the nonce and the ranges in the requested order', async () => {
  const ranges = [
    { start: 4_000_000, end: 4_000_100 },
    { start: 0, end: 10 },
  ]
  const proof = await possessionProof(file, { nonce: '口令', ranges, hasher: await createSHA256() })
  expect(proof).toBe(sha256('口令', bytes.subarray(4_000_000, 4_000_100), bytes.subarray(0, 10)))
  expect(proof).not.toBe(sha256('口令', bytes.subarray(0, 10), bytes.subarray(4_000_000, 4_000_100)))
})

test('a hasher can be used for several files', async () => {
  const hasher = await createSHA256()
  await hashBlob(file, hasher, () => {})
  expect(await hashBlob(new Blob(['文豆']), hasher, () => {})).toBe(sha256('文豆'))
})
