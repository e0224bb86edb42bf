import { createHash, randomBytes } from 'node:crypto'
import { createSHA256 } from 'hash-wasm'
import { expect, test } from 'vitest'
import { hashOf, proofOf } from './proof.ts'

const bytes = new Uint8Array(randomBytes(5 * 1024 * 1024 + 17))
const file = new Blob([bytes])

function sha256(...parts: (Uint8Array | string)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

test('a file of several pieces gets the hash that the server finds, and says how far it is', async () => {
  const told: number[] = []
  expect(await hashOf(file, await createSHA256(), (read) => told.push(read))).toBe(sha256(bytes))
  expect(told).toEqual([2 * 1024 * 1024, 4 * 1024 * 1024, bytes.length])
})

test('an empty file has the hash of nothing', async () => {
  expect(await hashOf(new Blob([]), await createSHA256(), () => {})).toBe(sha256(''))
})

test('the proof is the nonce and the pieces in the order asked', async () => {
  const ranges = [
    { start: 4_000_000, end: 4_000_100 },
    { start: 0, end: 10 },
  ]
  const proof = await proofOf(file, { nonce: '口令', ranges, hasher: await createSHA256() })
  expect(proof).toBe(sha256('口令', bytes.subarray(4_000_000, 4_000_100), bytes.subarray(0, 10)))
  expect(proof).not.toBe(sha256('口令', bytes.subarray(0, 10), bytes.subarray(4_000_000, 4_000_100)))
})

test('one hasher serves one file after the other', async () => {
  const hasher = await createSHA256()
  await hashOf(file, hasher, () => {})
  expect(await hashOf(new Blob(['文豆']), hasher, () => {})).toBe(sha256('文豆'))
})
