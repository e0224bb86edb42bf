import * as z from 'zod/mini'
import type { JobHandler } from '#server/jobs/worker.ts'
import { rewardRegistration } from './credits.rewards.ts'

const Registered = z.object({ id: z.int() })

export const creditJobs: Record<string, JobHandler> = {
  'user.registered': async (ctx, payload) => {
    const { id } = z.parse(Registered, payload)
    await rewardRegistration(ctx, id)
  },
}
