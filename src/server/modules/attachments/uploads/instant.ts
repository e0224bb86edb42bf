import { createHash, createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { uploads } from '#shared/contract/attachments.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { timingSafeEqualText, hmac } from '#server/keys.ts'
import { contentKey } from '../storage-keys.ts'
import {
  validateContent,
  validateFileName,
  validateSize,
  assertCanUpload,
  assertUploadQuotaLeft,
  consumeUploadQuota,
} from '../attachments.policy.ts'
import { type Content, documentFileTypes, openContent, assertNotBanned, touchContent } from '../attachments.store.ts'
import { addDocumentFile } from './documents.ts'

const timeoutMs = 5 * 60_000
const rangeCount = 8
const rangeSize = 64 * 1024

/** Sent to the client, signed, and sent back by it. */
const Challenge = z.object({
  user: z.int(),
  hash: z.string(),
  size: z.int(),
  name: z.string(),
  nonce: z.string(),
  until: z.int(),
  document: z._default(z.int(), 0),
})
type Challenge = z.output<typeof Challenge>

/** Requests a proof of possession of a file. Does not depend on whether the file is stored, so as not to reveal it. */
export async function createChallenge(
  ctx: MemberCtx,
  { hash, size, name, document_id }: Input<typeof uploads.challenge>,
): Promise<Reply<typeof uploads.challenge>> {
  assertCanUpload(ctx)
  const file = validateFileName(ctx, name)
  validateSize(ctx, size)
  await assertUploadQuotaLeft(ctx, document_id)
  const question = {
    user: ctx.viewer.id,
    hash,
    size,
    name: file.name,
    nonce: ctx.id(),
    until: ctx.now() + timeoutMs,
    document: document_id,
  }
  const text = Buffer.from(JSON.stringify(question)).toString('base64url')
  return {
    challenge: `${text}.${sign(ctx, text)}`,
    nonce: question.nonce,
    range: pickRanges(ctx, question),
  }
}

/** The id is 0 if the file has to be uploaded. */
export async function claimByProof(
  ctx: MemberCtx,
  { challenge, proof }: Input<typeof uploads.claim>,
): Promise<Reply<typeof uploads.claim>> {
  assertCanUpload(ctx)
  const question = verifyChallenge(ctx, challenge)
  const { hash, size } = question
  const file = validateFileName(ctx, question.name)
  validateSize(ctx, size)
  if (!(await touchContent(ctx, { hash, size }))) return { id: 0 }
  if (proof !== (await computeProof(ctx, question))) return { id: 0 }

  await assertNotBanned(ctx, hash)
  if (!(await wasAcceptedAs(ctx, hash, file.ext))) await validateStored(ctx, { hash, size }, file.ext)
  const id = await transaction(ctx, async (ctx) => {
    await consumeUploadQuota(ctx, size, question.document)
    return addDocumentFile(ctx, { hash, size }, file)
  })
  return { id }
}

function verifyChallenge(ctx: MemberCtx, challenge: string): Challenge {
  const [text = '', signature = ''] = challenge.split('.')
  if (!timingSafeEqualText(signature, sign(ctx, text))) throw errors.uploads.challengeWrong()
  const question = z.parse(Challenge, JSON.parse(Buffer.from(text, 'base64url').toString()))
  if (question.user !== ctx.viewer.id || question.until < ctx.now()) throw errors.uploads.challengeWrong()
  return question
}

function sign(ctx: Ctx, text: string): string {
  return hmac(ctx.keys.links, `upload.challenge:${text}`)
}

/** Random ranges of a large file, or all of a small one. Derived from the nonce, so that the client need not send them back. */
function pickRanges(ctx: Ctx, { size, nonce }: Challenge): { start: number; end: number }[] {
  if (size <= rangeCount * rangeSize) return [{ start: 0, end: size }]
  return Array.from({ length: rangeCount }, (_, at) => {
    const random = createHmac('sha256', ctx.keys.links).update(`upload.range:${nonce}:${at}`).digest()
    const start = random.readUIntBE(0, 6) % (size - rangeSize + 1)
    return { start, end: start + rangeSize }
  })
}

/** Undefined if the content is no longer stored. */
async function computeProof(ctx: Ctx, question: Challenge): Promise<string | undefined> {
  const hash = createHash('sha256').update(question.nonce)
  for (const { start, end } of pickRanges(ctx, question)) {
    const bytes = await openContent(ctx, question.hash, { start, end: end - 1 })
    if (!bytes) return undefined
    for await (const chunk of bytes) hash.update(chunk as Buffer)
  }
  return hash.digest('hex')
}

/** Whether this content was validated with the same extension before. */
async function wasAcceptedAs(ctx: Ctx, hash: string, ext: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('type', 'in', documentFileTypes)
    .where('ext', '=', ext)
    .executeTakeFirst()
  return row !== undefined
}

async function validateStored(ctx: Ctx, { hash, size }: Content, ext: string): Promise<void> {
  const path = await ctx.storage.local(contentKey(hash))
  if (!path) throw errors.request.timeout()
  await validateContent(ctx, { path, size, ext })
}
