import type { codes } from '#shared/contract/codes.ts'
import { emptyReply, type Handlers } from '#server/http/api/mount.ts'
import { withCeiling } from '#server/modules/outlays/outlays.ts'
import { createBatch, deleteBatches, voidBatch } from './batches.ts'
import { listBatches, listUsedCodes } from './codes.list.ts'

/** What a code for credits brings is an order, which is made to the right of here. */
export function codeRoutes({ redeem }: Pick<Handlers<typeof codes>, 'redeem'>): Handlers<typeof codes> {
  return {
    list: listBatches,
    create: withCeiling(createBatch),
    void: emptyReply(voidBatch),
    delete: emptyReply(deleteBatches),
    used: listUsedCodes,
    redeem,
  }
}
