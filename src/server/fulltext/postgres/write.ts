import { AdvisoryLock } from '#server/db/advisory-locks.ts'
import type pg from 'pg'
import { keyedQueue } from '#server/concurrency/keyed-queue.ts'
import { entryRow, maxPage, pageRow, rowRange, toEntryId } from '../engine/store.ts'
import type { Entry, FulltextIndex, Metadata, Pages } from '../fulltext.ts'
import { fold } from '../text/fold.ts'
import { toPinyin } from '../text/pinyin.ts'
import { hashToken } from '../text/token-hash.ts'
import { pendingList } from './pending-list.ts'
import { reindexEntry } from './reindex.ts'
import { addTokens, toArrayLiteral, toPostgresText, yieldToEventLoop } from './tokens.ts'
import { transaction } from './transaction.ts'

type Writer = Pick<
  FulltextIndex,
  'putMetadata' | 'putPages' | 'cutPages' | 'remove' | 'list' | 'empty' | 'optimize' | 'close'
>

/** Words known to be in the vocabulary are not inserted again. */
const maxKnownWords = 500_000
/** An entry with more pages than this is found by its new metadata before its pages are read again. */
const maxPagesReindexedAtOnce = 200

export function postgresWriter(pool: pg.Pool, { concurrency }: { concurrency: number }): Writer {
  const knownWords = new Set<string>()
  const queue = keyedQueue(concurrency)
  const pending = pendingList(pool)

  /** `task` returns how many tokens it has written. */
  const change = async (entry: Entry, task: () => Promise<number>): Promise<void> => {
    await pending.add(await queue.runForKey(entryRow(entry), task))
  }
  /** Before the texts they come from, and under a lock, so that readers see their numbers in ascending order. */
  const insertWords = async (words: Iterable<string>, force = false): Promise<void> => {
    const newWords = [...new Set(words)].filter((word) => force || !knownWords.has(word))
    if (newWords.length === 0) return
    await transaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [AdvisoryLock.SearchVocabulary])
      await client.query('insert into search_word (word) select unnest($1::text[]) on conflict do nothing', [newWords])
    })
    if (knownWords.size > maxKnownWords) knownWords.clear()
    for (const word of newWords) knownWords.add(word)
  }
  const changedPages = async ({ pages, force, ...entry }: Pages) => {
    const inRange = pages
      .filter(({ page }) => page >= 1 && page <= maxPage)
      .map(({ page, text }) => ({ row: pageRow(entry, page), text: toPostgresText(text) }))
    if (force) return inRange
    const { rows } = await pool.query<{ row: string; text: string }>(
      'select row, text from search_page where row = any($1)',
      [inRange.map(({ row }) => row)],
    )
    const stored = new Map(rows.map(({ row, text }) => [Number(row), text]))
    return inRange.filter(({ row, text }) => stored.get(row) !== text)
  }
  /** Returns false if the texts have changed, too. */
  const updateUnchanged = async (metadata: Metadata, fields: string[], pinyin: string): Promise<boolean> => {
    if (metadata.force) return false
    const values = [entryRow(metadata), metadata.quality, toPostgresText(metadata.version), pinyin, ...fields]
    return (await pool.query(updateUnchangedSql, values)).rowCount === 1
  }
  const putMetadata = async (metadata: Metadata): Promise<number> => {
    const fields = [metadata.title, metadata.keywords, metadata.description].map(toPostgresText)
    const pinyin = await toPinyin(metadata.title)
    if (await updateUnchanged(metadata, fields, pinyin)) return 0
    const foldedTitle = fold(fields[0] ?? '')
    // Folds to a space, so that no word spans two fields.
    const foldedAll = fold(fields.join('|'))
    const [titleTokens, allTokens] = [new Set<number>(), new Set<number>()]
    addTokens(foldedTitle, titleTokens)
    await insertWords(addTokens(foldedAll, allTokens), metadata.force)
    const [row, version] = [entryRow(metadata), toPostgresText(metadata.version)]
    const tokens = [toArrayLiteral(titleTokens), toArrayLiteral(allTokens)]
    const values = [row, metadata.quality, version, ...fields, foldedTitle, foldedAll, ...tokens, pinyin]
    const written = await transaction(pool, async (client) => {
      const put = await client.query<{ pages: number }>(putMetadataSql, values)
      const pages = put.rows[0]?.pages ?? 0
      if (pages === 0) return 3 * allTokens.size
      return pages > maxPagesReindexedAtOnce ? undefined : reindexEntry(client, metadata, { metadataVersion: version })
    })
    if (written !== undefined) return written
    return transaction(pool, async (client) => {
      await client.query(lockSql, [row])
      return reindexEntry(client, metadata, { metadataVersion: version })
    })
  }
  const putPages = async (entry: Pages): Promise<number> => {
    const version = toPostgresText(entry.version)
    const rows: PageRow[] = []
    const tokens = new Set<number>()
    const words = new Set<string>()
    for (const { row, text } of await changedPages(entry)) {
      const folded = fold(text)
      const pageWords = addTokens(folded, tokens)
      for (const word of pageWords) words.add(word)
      rows.push({ row, text, folded, words: toArrayLiteral([...pageWords].map((word) => hashToken(word))) })
      await yieldToEventLoop(rows.length)
    }
    await insertWords(words, entry.force)
    return transaction(pool, async (client) => {
      const entered = await client.query<{ pages_version: string }>(insertEntrySql, [entryRow(entry)])
      const previousVersion = entered.rows[0]?.pages_version ?? ''
      const isChanged = rows.length > 0
      if (!isChanged && (version === '' || version === previousVersion)) return 0
      if (isChanged)
        await client.query(putPagesSql, [
          rows.map(({ row }) => row),
          rows.map(({ text }) => text),
          rows.map(({ folded }) => folded),
          rows.map(({ words }) => words),
        ])
      // Batches without a version have not been added to the entry's tokens yet.
      if (version !== '' && (isChanged || previousVersion === '')) {
        const written = { rows: rows.map(({ row }) => row), tokens }
        return reindexEntry(client, entry, { pagesVersion: version, written })
      }
      await client.query(setVersionSql, [entryRow(entry), version, pageRow(entry, 1), pageRow(entry, maxPage)])
      return 0
    })
  }

  return {
    putMetadata: (metadata) => change(metadata, () => putMetadata(metadata)),
    putPages: (entry) => change(entry, () => putPages(entry)),
    cutPages: (entry) =>
      change(entry, () =>
        transaction(pool, async (client) => {
          await client.query(lockSql, [entryRow(entry)])
          const cut = await client.query(deletePagesSql, [pageRow(entry, entry.after + 1), pageRow(entry, maxPage)])
          return cut.rowCount ? reindexEntry(client, entry, {}) : 0
        }),
      ),
    remove: (kind, ids) =>
      queue.runExclusive(() =>
        transaction(pool, async (client) => {
          const rows = ids.map((id) => entryRow({ kind, id }))
          await client.query('delete from search_entry where row = any($1)', [rows])
          for (const id of ids)
            await client.query(deletePagesSql, [pageRow({ kind, id }, 0), pageRow({ kind, id }, maxPage)])
        }),
      ),
    async list(kind, { after, limit }) {
      const { rows } = await pool.query<EntryRow>(
        'select row, metadata_version, pages_version from search_entry where row > $1 and row <= $2 order by row limit $3',
        [entryRow({ kind, id: after }), rowRange(kind, 'entry')[1], limit],
      )
      return rows.map(({ row, metadata_version, pages_version }) => ({
        id: toEntryId(kind, 'entry', Number(row)),
        metadataVersion: metadata_version,
        pagesVersion: pages_version,
      }))
    },
    empty: () => queue.runExclusive(async () => void (await pool.query('truncate search_entry, search_page'))),
    async optimize() {
      await pending.flush()
      await pool.query('analyze search_entry, search_page')
    },
    async close() {
      pending.stop()
      await pool.end()
    },
  }
}

interface PageRow {
  row: number
  text: string
  folded: string
  words: string
}

interface EntryRow {
  row: string
  metadata_version: string
  pages_version: string
}

const lockSql = 'select from search_entry where row = $1 for update'
/** The update locks an existing row. */
const insertEntrySql =
  'insert into search_entry (row) values ($1) on conflict (row) do update set row = excluded.row returning pages_version'
const setVersionSql = `update search_entry set pages_version = $2,
  pages = (select count(*) from search_page where search_page.row between $3 and $4) where row = $1`
const updateUnchangedSql = `update search_entry set quality = $2, metadata_version = $3, pinyin = $4
  where row = $1 and metadata_version <> '' and title = $5 and keywords = $6 and description = $7`
const deletePagesSql = 'delete from search_page where row between $1 and $2'
/** An entry with pages gets its version only when it has been reindexed with them. */
const putMetadataSql = `insert into search_entry
    (row, quality, metadata_version, title, keywords, description, folded_title, folded_metadata,
     title_tokens, metadata_tokens, pinyin, tokens)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::integer[], $10::integer[], $11, $10::integer[])
  on conflict (row) do update set
    (quality, title, keywords, description, folded_title, folded_metadata, title_tokens, metadata_tokens, pinyin) =
      (excluded.quality, excluded.title, excluded.keywords, excluded.description, excluded.folded_title,
       excluded.folded_metadata, excluded.title_tokens, excluded.metadata_tokens, excluded.pinyin),
    metadata_version = case when search_entry.pages = 0 then excluded.metadata_version else '' end,
    tokens = case when search_entry.pages = 0 then excluded.tokens else search_entry.tokens end
  returning pages`
const putPagesSql = `insert into search_page (row, text, folded, words)
  select row, text, folded, words::integer[]
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as page (row, text, folded, words)
  on conflict (row) do update set (text, folded, words) = (excluded.text, excluded.folded, excluded.words)`
