import type { Insertable } from 'kysely'
import { spiderSources } from '#shared/contract/spider.ts'
import type { CallInput } from '#shared/endpoint.ts'
import { ContentType } from '#shared/enums.ts'
import type { Tables } from '#server/db/tables.ts'
import { hashAddress } from '#server/modules/spider/extract/normalize.ts'
import { type DocumentSite, openDocumentSite } from '../document-site.ts'

type Row<T extends 'spider_url' | 'spider_document'> = Partial<Insertable<Tables[T]>>

/** A site whose crawler is on, and has found what the tests say without asking any server. */
export interface CrawledSite extends DocumentSite {
  /** The id of a new source. */
  source(form?: Partial<CallInput<typeof spiderSources.create>>): Promise<number>
  addUrls(...rows: Row<'spider_url'>[]): Promise<number[]>
  addFound(...rows: Row<'spider_document'>[]): Promise<number[]>
}

export async function openCrawledSite(): Promise<CrawledSite> {
  const site = await openDocumentSite()
  await site.configure({ 'spider.enable': 'true' })
  let count = 0
  const addressOf = (url?: string) => {
    const address = new URL(url ?? `https://library.example/${(count += 1)}`)
    return {
      url: address.href,
      url_hash: hashAddress(address),
      origin: address.origin,
      created_at: Date.now(),
      updated_at: Date.now(),
    }
  }
  return {
    ...site,
    async source(form = {}) {
      const name = `来源 ${(count += 1)}`
      const start = [`https://library.example/${count}/`]
      const { id } = await site.root.call(spiderSources.create, { name, start, ...form })
      return id
    },
    async addUrls(...rows) {
      const ids: number[] = []
      for (const row of rows) {
        const address = addressOf(row.url)
        const values = { source_id: 0, path_hash: address.url_hash, ...address, ...row }
        const { id } = await site.db.insertInto('spider_url').values(values).returning('id').executeTakeFirstOrThrow()
        ids.push(id)
      }
      return ids
    },
    async addFound(...rows) {
      const ids: number[] = []
      for (const row of rows) {
        const { id } = await site.db
          .insertInto('spider_document')
          .values({
            source_id: 0,
            target: ContentType.Document,
            category_ids: '[]',
            user_id: site.root.id,
            ...addressOf(row.url),
            ...row,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        ids.push(id)
      }
      return ids
    },
  }
}
