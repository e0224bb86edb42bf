import * as z from 'zod/mini'
import type { JobHandler } from '#server/jobs/worker.ts'
import { forgetMembers, forgetTracesOf } from './delete-related.ts'

const Purged = z.object({ type: z.union([z.literal(0), z.literal(1)]), ids: z.array(z.int()) })
const Deleted = z.object({ ids: z.array(z.int()) })

/** Asked for in the transaction that does away with what left the traces: they go too, whatever happens to the process. */
export const socialJobs: Record<string, JobHandler> = {
  'social.forget': async (ctx, payload) => {
    const { type, ids } = z.parse(Purged, payload)
    await forgetTracesOf(ctx, type, ids)
  },
  'social.forget-members': async (ctx, payload) => {
    const { ids } = z.parse(Deleted, payload)
    await forgetMembers(ctx, ids)
  },
}
