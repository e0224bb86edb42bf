import * as z from 'zod/mini'
import type { JobHandler } from '#server/jobs/worker.ts'
import { purgeArticles } from './articles.recycle-bin.ts'

const OfArticles = z.object({ id: z.array(z.int()) })

export const articleJobs: Record<string, JobHandler> = {
  'articles.purge': (ctx, payload) => purgeArticles(ctx, z.parse(OfArticles, payload)),
}
