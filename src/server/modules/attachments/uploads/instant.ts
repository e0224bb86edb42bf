import { createHash, createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { uploads } from '#shared/contract/attachments.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { errors } from '#shared/errors.ts'
import { type Ctx, type MemberCtx, transaction } from '#server/context.ts'
import { sameText, sealed } from '#server/keys.ts'
import { contentKey } from '../storage-keys.ts'
import {
  acceptContent,
  acceptName,
  acceptSize,
  refuseUploader,
  refuseUsedUp,
  takeUploadQuota,
} from '../attachments.policy.ts'
import { type Content, openContent, refuseBanned, seen } from '../attachments.store.ts'
import { addDocumentFile } from './documents.ts'

const answerWithinMs = 5 * 60_000
const ranges = 8
const rangeSize = 64 * 1024

/** What was asked of whom. It travels to the asker and back, sealed. */
const Question = z.object({
  user: z.int(),
  hash: z.string(),
  size: z.int(),
  name: z.string(),
  nonce: z.string(),
  until: z.int(),
})
type Question = z.output<typeof Question>

/** Asks for bytes of a file that somebody says they hold. Looks nowhere: whether we have it is not to be learnt here. */
export async function askForProof(
  ctx: MemberCtx,
  { hash, size, name }: Input<typeof uploads.challenge>,
): Promise<Reply<typeof uploads.challenge>> {
  refuseUploader(ctx)
  const named = acceptName(ctx, name)
  acceptSize(ctx, size)
  await refuseUsedUp(ctx)
  const question = {
    user: ctx.viewer.id,
    hash,
    size,
    name: named.name,
    nonce: ctx.id(),
    until: ctx.now() + answerWithinMs,
  }
  const text = Buffer.from(JSON.stringify(question)).toString('base64url')
  return {
    challenge: `${text}.${seal(ctx, text)}`,
    nonce: question.nonce,
    range: rangesOf(ctx, question),
  }
}

/** 0 when the file has to be sent after all. */
export async function claimByProof(
  ctx: MemberCtx,
  { challenge, proof }: Input<typeof uploads.claim>,
): Promise<Reply<typeof uploads.claim>> {
  refuseUploader(ctx)
  const question = openQuestion(ctx, challenge)
  const { hash, size } = question
  const named = acceptName(ctx, question.name)
  acceptSize(ctx, size)
  if (!(await seen(ctx, { hash, size }))) return { id: 0 }
  if (proof !== (await proofOf(ctx, question))) return { id: 0 }

  await refuseBanned(ctx, hash)
  if (!(await wasTakenAs(ctx, hash, named.ext))) await acceptKept(ctx, { hash, size }, named.ext)
  const id = await transaction(ctx, async (ctx) => {
    await takeUploadQuota(ctx, size)
    return addDocumentFile(ctx, { hash, size }, named)
  })
  return { id }
}

function openQuestion(ctx: MemberCtx, challenge: string): Question {
  const [text = '', signature = ''] = challenge.split('.')
  if (!sameText(signature, seal(ctx, text))) throw errors.uploads.challengeWrong()
  const question = z.parse(Question, JSON.parse(Buffer.from(text, 'base64url').toString()))
  if (question.user !== ctx.viewer.id || question.until < ctx.now()) throw errors.uploads.challengeWrong()
  return question
}

function seal(ctx: Ctx, text: string): string {
  return sealed(ctx.keys.links, `upload.challenge:${text}`)
}

/** Some pieces of a large file, all of a small one. Drawn from the nonce, so that they need not travel back. */
function rangesOf(ctx: Ctx, { size, nonce }: Question): { start: number; end: number }[] {
  if (size <= ranges * rangeSize) return [{ start: 0, end: size }]
  return Array.from({ length: ranges }, (_, at) => {
    const drawn = createHmac('sha256', ctx.keys.links).update(`upload.range:${nonce}:${at}`).digest()
    const start = drawn.readUIntBE(0, 6) % (size - rangeSize + 1)
    return { start, end: start + rangeSize }
  })
}

/** Undefined when the content is not there after all. */
async function proofOf(ctx: Ctx, question: Question): Promise<string | undefined> {
  const hash = createHash('sha256').update(question.nonce)
  for (const { start, end } of rangesOf(ctx, question)) {
    const bytes = await openContent(ctx, question.hash, { start, end: end - 1 })
    if (!bytes) return undefined
    for await (const chunk of bytes) hash.update(chunk as Buffer)
  }
  return hash.digest('hex')
}

/** Whether somebody's upload of this content under the same extension was looked at before. */
async function wasTakenAs(ctx: Ctx, hash: string, ext: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('attachment')
    .select('id')
    .where('hash', '=', hash)
    .where('type', '=', 2)
    .where('ext', '=', ext)
    .executeTakeFirst()
  return row !== undefined
}

async function acceptKept(ctx: Ctx, { hash, size }: Content, ext: string): Promise<void> {
  const path = await ctx.storage.local(contentKey(hash))
  if (!path) throw errors.request.timeout()
  await acceptContent(ctx, { path, size, ext })
}
