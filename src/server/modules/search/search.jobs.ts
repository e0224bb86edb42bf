import type { JobHandlers, JobSchedule } from '#server/jobs.ts'
import { articleIndexer } from './index-articles.ts'
import { documentIndexer } from './index-documents.ts'
import { checkEntries, indexEntries } from './indexing.ts'
import { purgeRecords } from './records.ts'
import { renewKeywords } from './text-keywords.ts'

const hourMs = 3_600_000

export const searchJobs = {
  'search.index-documents': (ctx, { id }) => indexEntries(ctx, documentIndexer, id),
  'search.index-articles': (ctx, { id }) => indexEntries(ctx, articleIndexer, id),
  'search.check-documents': (ctx, range) => checkEntries(ctx, documentIndexer, range),
  'search.check-articles': (ctx, range) => checkEntries(ctx, articleIndexer, range),
  'search.optimize': (ctx) => ctx.search.optimize(),
  'search.renew-keywords': (ctx, range) => renewKeywords(ctx, 'document', range),
  'search.renew-article-keywords': (ctx, range) => renewKeywords(ctx, 'article', range),
  'search.purge-records': purgeRecords,
} satisfies Partial<JobHandlers>

export const searchSchedules: JobSchedule[] = [
  { kind: 'search.check-documents', everyMs: hourMs },
  { kind: 'search.check-articles', everyMs: hourMs },
  { kind: 'search.purge-records', everyMs: hourMs },
  { kind: 'search.renew-keywords', everyMs: 6 * hourMs },
  { kind: 'search.renew-article-keywords', everyMs: 6 * hourMs },
  { kind: 'search.optimize', everyMs: 24 * hourMs },
]
