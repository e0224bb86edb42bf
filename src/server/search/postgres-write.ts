import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { fold } from './fold.ts'
import type { Entry, Head, Kind, Known, PageText, Pages, Search } from './search.ts'
import { transaction } from './postgres-transaction.ts'
import { spellingOf } from './spelling.ts'
import { entryRow, idOf, lastPage, pageRow, rowsOf } from './store.ts'
import { hashOf } from './token-hash.ts'
import { tokenise } from './tokenise.ts'

type Writes = Pick<Search, 'putHead' | 'putPages' | 'cutPages' | 'remove' | 'list' | 'empty'>

const wordsRemembered = 500_000
const wordLock = 7_340_114

export function postgresWrites(pool: pg.Pool): Writes {
  const filed = new Set<string>()

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
  const changedPages = async ({ pages, anew, ...entry }: Pages): Promise<PageText[]> => {
    const inRange = pages
      .filter(({ page }) => page >= 1 && page <= lastPage)
      .map(({ page, text }) => ({ page, text: storable(text) }))
    if (anew) return inRange
    const { rows } = await pool.query<{ row: string; text: string }>(
      'select row, text from search_page where row = any($1)',
      [inRange.map(({ page }) => pageRow(entry, page))],
    )
    const kept = new Map(rows.map(({ row, text }) => [Number(row), text]))
    return inRange.filter(({ page, text }) => kept.get(pageRow(entry, page)) !== text)
  }
  /** Whether these are the fields that are filed; then the rest is brought up to date. */
  const isSameHead = async (head: Head, fields: string[], spelling: string): Promise<boolean> => {
    if (head.anew) return false
    const values = [entryRow(head), head.quality, storable(head.mark), spelling, ...fields]
    return (await pool.query(sameHeadSql, values)).rowCount === 1
  }

  return {
    async putHead(head: Head) {
      const fields = [head.title, head.keywords, head.description].map(storable)
      const spelling = await spellingOf(head.title)
      if (await isSameHead(head, fields, spelling)) return
      const title = fold(fields[0] ?? '')
      const all = fold(fields.join('|'))
      const [ofTitle, ofAll] = [tokenise(title), tokenise(all)]
      await fileWords(ofAll.words, head.anew)
      await transaction(pool, async (client) => {
        await client.query(putHeadSql, [
          entryRow(head),
          head.quality,
          storable(head.mark),
          ...fields,
          title,
          all,
          hashes([...ofTitle.page, ...ofTitle.entry]),
          hashes([...ofAll.page, ...ofAll.entry]),
          spelling,
        ])
        await refile(client, head)
      })
    },
    async putPages(entry: Pages) {
      const mark = storable(entry.mark)
      const rows: PageRow[] = []
      const words = new Set<string>()
      for (const { page, text } of await changedPages(entry)) {
        const folded = fold(text)
        const tokens = tokenise(folded)
        for (const word of tokens.words) words.add(word)
        const [narrow, broad] = [hashes(tokens.page), hashes(tokens.entry)]
        rows.push({ row: pageRow(entry, page), text, folded, narrow, broad })
        // A slice of long pages takes a while; others have their turn in between.
        if (rows.length % 5 === 0) await setImmediate()
      }
      await fileWords(words, entry.anew)
      await transaction(pool, async (client) => {
        const entered = await client.query<{ pages_mark: string }>(enterSql, [entryRow(entry)])
        const before = entered.rows[0]?.pages_mark ?? ''
        const isChanged = rows.length > 0
        if (!isChanged && (mark === '' || mark === before)) return
        await client.query(putPagesSql, [
          rows.map(({ row }) => row),
          rows.map(({ text }) => text),
          rows.map(({ folded }) => folded),
          rows.map(({ narrow }) => narrow),
          rows.map(({ broad }) => broad),
        ])
        await client.query(markSql, [entryRow(entry), mark, pageRow(entry, 1), pageRow(entry, lastPage)])
        // What came in with an empty mark has not been filed with the whole yet.
        if (mark !== '' && (isChanged || before === '')) await refile(client, entry)
      })
    },
    async cutPages(entry) {
      await transaction(pool, async (client) => {
        await client.query('select from search_entry where row = $1 for update', [entryRow(entry)])
        const cut = await client.query(cutSql, [pageRow(entry, entry.after + 1), pageRow(entry, lastPage)])
        if (cut.rowCount) await refile(client, entry)
      })
    },
    async remove(kind: Kind, ids) {
      const rows = ids.map((id) => entryRow({ kind, id }))
      await transaction(pool, async (client) => {
        await client.query('delete from search_entry where row = any($1)', [rows])
        for (const id of ids) await client.query(cutSql, [pageRow({ kind, id }, 0), pageRow({ kind, id }, lastPage)])
      })
    },
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
    async empty() {
      await pool.query('truncate search_entry, search_page')
    },
  }
}

interface PageRow {
  row: number
  text: string
  folded: string
  narrow: string
  broad: string
}

interface Listed {
  row: string
  head_mark: string
  pages_mark: string
}

const enterSql =
  'insert into search_entry (row) values ($1) on conflict (row) do update set row = excluded.row returning pages_mark'
const markSql = `update search_entry set pages_mark = $2,
  pages = (select count(*) from search_page where search_page.row between $3 and $4) where row = $1`
const sameHeadSql = `update search_entry set quality = $2, head_mark = $3, spelling = $4
  where row = $1 and head_mark <> '' and title = $5 and keywords = $6 and description = $7`
const cutSql = 'delete from search_page where row between $1 and $2'
const putHeadSql = `insert into search_entry
    (row, quality, head_mark, title, keywords, description, folded_title, folded_head, title_tokens, head_tokens, spelling)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::integer[], $10::integer[], $11)
  on conflict (row) do update set (quality, head_mark, title, keywords, description, folded_title, folded_head, title_tokens, head_tokens, spelling) =
    (excluded.quality, excluded.head_mark, excluded.title, excluded.keywords, excluded.description, excluded.folded_title,
     excluded.folded_head, excluded.title_tokens, excluded.head_tokens, excluded.spelling)`
const putPagesSql = `insert into search_page (row, text, folded, tokens, broad_tokens)
  select row, text, folded, tokens::integer[], broad::integer[]
  from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as page (row, text, folded, tokens, broad)
  on conflict (row) do update set (text, folded, tokens, broad_tokens) =
    (excluded.text, excluded.folded, excluded.tokens, excluded.broad_tokens)`

/** An entry is filed under all that its head and its pages are filed under. */
async function refile(client: pg.PoolClient, entry: Entry): Promise<void> {
  await client.query(
    `update search_entry set
      pages = (select count(*) from search_page where row between $2 and $3),
      tokens = array(select unnest(head_tokens)
        union select unnest(tokens) from search_page where row between $2 and $3
        union select unnest(broad_tokens) from search_page where row between $2 and $3)
    where row = $1`,
    [entryRow(entry), pageRow(entry, 1), pageRow(entry, lastPage)],
  )
}

function hashes(tokens: Iterable<string>): string {
  return `{${[...new Set([...tokens].map(hashOf))].join(',')}}`
}

/** PostgreSQL takes neither; what stands in for them is as long, so that places stay. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ')
}
