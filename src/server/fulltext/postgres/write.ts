import type pg from 'pg'
import { fold } from '../text/fold.ts'
import { openAside } from './pending-list.ts'
import { openLanes } from '#server/concurrency/keyed-queue.ts'
import { refile } from './reindex.ts'
import { addTokens, arrayOf, storable, takeTurns } from './tokens.ts'
import { transaction } from './transaction.ts'
import type { Entry, Head, Kind, Known, Pages, Search } from '../fulltext.ts'
import { spellingOf } from '../text/spelling.ts'
import { entryRow, idOf, lastPage, pageRow, rowsOf } from '../engine/store.ts'
import { hashOf } from '../text/token-hash.ts'

type Writes = Pick<Search, 'putHead' | 'putPages' | 'cutPages' | 'remove' | 'list' | 'empty' | 'settle' | 'close'>

const wordsRemembered = 500_000
const wordLock = 7_340_114
/** More pages than this are not read again while others wait to find the head. */
const fewPages = 200

export function postgresWrites(pool: pg.Pool, { atOnce }: { atOnce: number }): Writes {
  const filed = new Set<string>()
  const lanes = openLanes(atOnce)
  const aside = openAside(pool)

  /** The work tells how many tokens it has filed. */
  const change = async (entry: Entry, work: () => Promise<number>): Promise<void> => {
    await aside.add(await lanes.inTurn(entryRow(entry), work))
  }
  /** Words are written before what they are from, one process at a time, so that their numbers come in order. */
  const fileWords = async (words: Iterable<string>, anew = false): Promise<void> => {
    const fresh = [...new Set(words)].filter((word) => anew || !filed.has(word))
    if (fresh.length === 0) return
    await transaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [wordLock])
      await client.query('insert into search_word (word) select unnest($1::text[]) on conflict do nothing', [fresh])
    })
    if (filed.size > wordsRemembered) filed.clear()
    for (const word of fresh) filed.add(word)
  }
  /** Those that are not there yet as they are now. */
  const changedPages = async ({ pages, anew, ...entry }: Pages) => {
    const inRange = pages
      .filter(({ page }) => page >= 1 && page <= lastPage)
      .map(({ page, text }) => ({ row: pageRow(entry, page), text: storable(text) }))
    if (anew) return inRange
    const { rows } = await pool.query<{ row: string; text: string }>(
      'select row, text from search_page where row = any($1)',
      [inRange.map(({ row }) => row)],
    )
    const kept = new Map(rows.map(({ row, text }) => [Number(row), text]))
    return inRange.filter(({ row, text }) => kept.get(row) !== text)
  }
  /** Whether these are the fields that are filed; then the rest is brought up to date. */
  const isSameHead = async (head: Head, fields: string[], spelling: string): Promise<boolean> => {
    if (head.anew) return false
    const values = [entryRow(head), head.quality, storable(head.mark), spelling, ...fields]
    return (await pool.query(sameHeadSql, values)).rowCount === 1
  }
  const putHead = async (head: Head): Promise<number> => {
    const fields = [head.title, head.keywords, head.description].map(storable)
    const spelling = await spellingOf(head.title)
    if (await isSameHead(head, fields, spelling)) return 0
    const title = fold(fields[0] ?? '')
    const all = fold(fields.join('|'))
    const [ofTitle, ofAll] = [new Set<number>(), new Set<number>()]
    addTokens(title, ofTitle)
    await fileWords(addTokens(all, ofAll), head.anew)
    const [row, mark] = [entryRow(head), storable(head.mark)]
    const tokens = [arrayOf(ofTitle), arrayOf(ofAll)]
    const values = [row, head.quality, mark, ...fields, title, all, ...tokens, spelling]
    const filed = await transaction(pool, async (client) => {
      const put = await client.query<{ pages: number }>(putHeadSql, values)
      const pages = put.rows[0]?.pages ?? 0
      if (pages === 0) return 3 * ofAll.size
      return pages > fewPages ? undefined : refile(client, head, { headMark: mark })
    })
    if (filed !== undefined) return filed
    // One with many pages can be found by its head already; with them it gets its mark.
    return transaction(pool, async (client) => {
      await client.query(lockSql, [row])
      return refile(client, head, { headMark: mark })
    })
  }
  const putPages = async (entry: Pages): Promise<number> => {
    const mark = storable(entry.mark)
    const rows: PageRow[] = []
    const tokens = new Set<number>()
    const words = new Set<string>()
    for (const { row, text } of await changedPages(entry)) {
      const folded = fold(text)
      const ofPage = addTokens(folded, tokens)
      for (const word of ofPage) words.add(word)
      rows.push({ row, text, folded, words: arrayOf([...ofPage].map((word) => hashOf(word))) })
      await takeTurns(rows.length)
    }
    await fileWords(words, entry.anew)
    return transaction(pool, async (client) => {
      const entered = await client.query<{ pages_mark: string }>(enterSql, [entryRow(entry)])
      const before = entered.rows[0]?.pages_mark ?? ''
      const isChanged = rows.length > 0
      if (!isChanged && (mark === '' || mark === before)) return 0
      if (isChanged)
        await client.query(putPagesSql, [
          rows.map(({ row }) => row),
          rows.map(({ text }) => text),
          rows.map(({ folded }) => folded),
          rows.map(({ words }) => words),
        ])
      // What came in with an empty mark has not been filed with the whole yet.
      if (mark !== '' && (isChanged || before === '')) {
        const fresh = { rows: rows.map(({ row }) => row), tokens }
        return refile(client, entry, { pagesMark: mark, fresh })
      }
      await client.query(markSql, [entryRow(entry), mark, pageRow(entry, 1), pageRow(entry, lastPage)])
      return 0
    })
  }

  return {
    putHead: (head) => change(head, () => putHead(head)),
    putPages: (entry) => change(entry, () => putPages(entry)),
    cutPages: (entry) =>
      change(entry, () =>
        transaction(pool, async (client) => {
          await client.query(lockSql, [entryRow(entry)])
          const cut = await client.query(cutSql, [pageRow(entry, entry.after + 1), pageRow(entry, lastPage)])
          return cut.rowCount ? refile(client, entry, {}) : 0
        }),
      ),
    remove: (kind: Kind, ids) =>
      lanes.alone(() =>
        transaction(pool, async (client) => {
          const rows = ids.map((id) => entryRow({ kind, id }))
          await client.query('delete from search_entry where row = any($1)', [rows])
          for (const id of ids) await client.query(cutSql, [pageRow({ kind, id }, 0), pageRow({ kind, id }, lastPage)])
        }),
      ),
    async list(kind, { after, limit }): Promise<Known[]> {
      const { rows } = await pool.query<Listed>(
        'select row, head_mark, pages_mark from search_entry where row > $1 and row <= $2 order by row limit $3',
        [entryRow({ kind, id: after }), rowsOf(kind, 'entry')[1], limit],
      )
      return rows.map(({ row, head_mark, pages_mark }) => ({
        id: idOf(kind, 'entry', Number(row)),
        headMark: head_mark,
        pagesMark: pages_mark,
      }))
    },
    empty: () => lanes.alone(async () => void (await pool.query('truncate search_entry, search_page'))),
    async settle() {
      await aside.clear()
      await pool.query('analyze search_entry, search_page')
    },
    async close() {
      aside.stop()
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

interface Listed {
  row: string
  head_mark: string
  pages_mark: string
}

const lockSql = 'select from search_entry where row = $1 for update'
const enterSql =
  'insert into search_entry (row) values ($1) on conflict (row) do update set row = excluded.row returning pages_mark'
const markSql = `update search_entry set pages_mark = $2,
  pages = (select count(*) from search_page where search_page.row between $3 and $4) where row = $1`
const sameHeadSql = `update search_entry set quality = $2, head_mark = $3, spelling = $4
  where row = $1 and head_mark <> '' and title = $5 and keywords = $6 and description = $7`
const cutSql = 'delete from search_page where row between $1 and $2'
/** Where there are pages, it is filed with them before it gets its mark. */
const putHeadSql = `insert into search_entry
    (row, quality, head_mark, title, keywords, description, folded_title, folded_head, title_tokens, head_tokens, spelling, tokens)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::integer[], $10::integer[], $11, $10::integer[])
  on conflict (row) do update set
    (quality, title, keywords, description, folded_title, folded_head, title_tokens, head_tokens, spelling) =
      (excluded.quality, excluded.title, excluded.keywords, excluded.description, excluded.folded_title,
       excluded.folded_head, excluded.title_tokens, excluded.head_tokens, excluded.spelling),
    head_mark = case when search_entry.pages = 0 then excluded.head_mark else '' end,
    tokens = case when search_entry.pages = 0 then excluded.tokens else search_entry.tokens end
  returning pages`
const putPagesSql = `insert into search_page (row, text, folded, words)
  select row, text, folded, words::integer[]
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as page (row, text, folded, words)
  on conflict (row) do update set (text, folded, words) = (excluded.text, excluded.folded, excluded.words)`
