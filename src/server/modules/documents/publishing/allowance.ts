import type { documents } from '#shared/contract/documents.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { MemberCtx } from '#server/context.ts'
import { quotaUsed } from '#server/modules/access/quotas.ts'
import { uploadQuotaLeft } from '#server/modules/attachments/attachments.policy.ts'
import { uploadRewardQuota } from '#server/modules/credits/credits.rewards.ts'
import { isReviewed } from '../documents.policy.ts'

/** What an upload earns this member today, and how much may still be uploaded. */
export async function getUploadAllowance(ctx: MemberCtx): Promise<Reply<typeof documents.uploadAllowance>> {
  const reward = ctx.settings.score.upload_document
  const quota = uploadRewardQuota(ctx, ctx.viewer.id)
  const { files, bytes } = await uploadQuotaLeft(ctx)
  return {
    reward,
    rewards_left: reward === 0 ? 0 : Math.max(0, quota.limit - (await quotaUsed(ctx, quota))),
    files_left: files,
    bytes_left: bytes,
    is_reviewed: isReviewed(ctx.viewer),
  }
}
