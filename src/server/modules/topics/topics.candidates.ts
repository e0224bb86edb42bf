import type { TopicCandidate, topics } from '#shared/contract/topics.ts'
import { publicStatuses } from '#shared/document-status.ts'
import type { Input, Reply } from '#shared/endpoint.ts'
import { ContentType, ReviewStatus, Visibility } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import { inList } from '#server/db/in-list.ts'
import { matches } from '#server/db/list.ts'

const maxOfEach = 10

/** By words of the title or the address of a page, or those with these ids. What is in the recycle bin is not offered. */
export async function findCandidates(
  ctx: Ctx,
  { wd, document_id, article_id }: Input<typeof topics.candidates>,
): Promise<Reply<typeof topics.candidates>> {
  const [documents, articles] = await Promise.all([
    findDocuments(ctx, wd, document_id),
    findArticles(ctx, wd, article_id),
  ])
  return { candidate: [...documents, ...articles] }
}

async function findDocuments({ db }: Ctx, wd: string, ids: readonly number[]): Promise<TopicCandidate[]> {
  const uuid = /\/document\/([^/?#\s]+)/.exec(wd)?.[1]
  const query = db.selectFrom('document').select(['id', 'title', 'status', 'visibility', 'deleted_at'])
  const wanted =
    ids.length > 0
      ? query.where(inList(db, 'id', ids))
      : query
          .where('deleted_at', 'is', null)
          .where((eb) => (uuid ? eb('uuid', '=', uuid) : matches(['title'], wd)(eb)))
          .orderBy('id', 'desc')
          .limit(wd ? maxOfEach : 0)
  const rows = await wanted.execute()
  return rows.map(({ id, title, status, visibility, deleted_at }) => ({
    type: ContentType.Document,
    id,
    title,
    is_public: deleted_at === null && visibility === Visibility.Public && publicStatuses.includes(status),
  }))
}

async function findArticles({ db }: Ctx, wd: string, ids: readonly number[]): Promise<TopicCandidate[]> {
  const [, encoded = ''] = /\/article\/([^/?#\s]+)/.exec(wd) ?? []
  const identifier = decodeText(encoded)
  const query = db.selectFrom('article').select(['id', 'title', 'status', 'deleted_at'])
  const wanted =
    ids.length > 0
      ? query.where(inList(db, 'id', ids))
      : query
          .where('deleted_at', 'is', null)
          .where((eb) => (identifier ? eb('identifier', '=', identifier) : matches(['title'], wd)(eb)))
          .orderBy('id', 'desc')
          .limit(wd ? maxOfEach : 0)
  const rows = await wanted.execute()
  return rows.map(({ id, title, status, deleted_at }) => ({
    type: ContentType.Article,
    id,
    title,
    is_public: deleted_at === null && status === ReviewStatus.Approved,
  }))
}

/** As it is where it is no encoded text. */
function decodeText(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
