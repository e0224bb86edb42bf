import { errors } from '#shared/errors.ts'
import { formatSize } from '#shared/format.ts'
import type { MemberCtx } from '#server/context.ts'
import { consumeQuota, quotaUsed } from '#server/modules/access/quotas.ts'
import { assertCanWrite, assertNotSilenced } from '#server/modules/users/users.writing.ts'

/** What one member may upload for articles in a day. Staff may upload more. */
const maxFiles = 200
const maxBytes = 500 * 1024 * 1024

/** How often a member may change the avatar in a day. */
const maxAvatars = 20

/** Before an image is received and encoded, which costs more than the check. */
export async function assertAvatarQuotaLeft(ctx: MemberCtx): Promise<void> {
  const { quota, subject, limit } = avatarQuota(ctx)
  if ((await quotaUsed(ctx, { quota, subject })) >= limit) throw errors.uploads.quotaAvatars(limit)
}

/** Call it in the transaction that changes the avatar. */
export async function consumeAvatarQuota(ctx: MemberCtx): Promise<void> {
  if (!(await consumeQuota(ctx, avatarQuota(ctx)))) throw errors.uploads.quotaAvatars(maxAvatars)
}

function avatarQuota({ viewer }: MemberCtx) {
  return { quota: 'avatar.changes', subject: viewer.id, limit: maxAvatars }
}

/** How many pictures of payments a member may send in a day. */
const maxPaymentProofs = 20

export async function assertPaymentProofQuotaLeft(ctx: MemberCtx): Promise<void> {
  const { quota, subject, limit } = paymentProofQuota(ctx)
  if ((await quotaUsed(ctx, { quota, subject })) >= limit) throw errors.uploads.quotaCount(limit)
}

export async function consumePaymentProofQuota(ctx: MemberCtx): Promise<void> {
  if (!(await consumeQuota(ctx, paymentProofQuota(ctx)))) throw errors.uploads.quotaCount(maxPaymentProofs)
}

function paymentProofQuota({ viewer }: MemberCtx) {
  return { quota: 'order.proofs', subject: viewer.id, limit: maxPaymentProofs }
}

/** Images and videos for articles: for members who may write articles, within their daily quota. */
export async function assertCanIllustrate(ctx: MemberCtx): Promise<void> {
  if (isTrusted(ctx)) return assertNotSilenced(ctx)
  assertCanWrite(ctx)
  for (const { exceeded, ...quota } of illustrationQuotas(ctx))
    if ((await quotaUsed(ctx, quota)) >= quota.limit) throw exceeded()
}

/** Call it in the transaction that records the upload: if that fails, nothing is consumed. */
export async function consumeIllustrationQuota(ctx: MemberCtx, bytes: number): Promise<void> {
  if (isTrusted(ctx)) return
  for (const { exceeded, ...quota } of illustrationQuotas(ctx, bytes))
    if (!(await consumeQuota(ctx, quota))) throw exceeded()
}

function illustrationQuotas({ viewer }: MemberCtx, bytes = 0) {
  const subject = viewer.id
  return [
    {
      quota: 'article.files',
      subject,
      limit: maxFiles,
      amount: 1,
      exceeded: () => errors.uploads.quotaCount(maxFiles),
    },
    {
      quota: 'article.bytes',
      subject,
      limit: maxBytes,
      amount: bytes,
      exceeded: () => errors.uploads.quotaSize(formatSize(maxBytes)),
    },
  ]
}

function isTrusted({ viewer }: MemberCtx): boolean {
  return viewer.can('upload/article')
}
