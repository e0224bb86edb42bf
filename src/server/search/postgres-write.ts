import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { fold } from './fold.ts'
import type { Entry, Head, Kind, Known, Pages, Search } from './search.ts'
import { spellingOf } from './spelling.ts'
import { entryRow, idOf, lastPage, pageRow, rowsBelow } from './store.ts'
import { hashOf } from './token-hash.ts'
import { tokenise } from './tokenise.ts'

type Writes = Pick<Search, 'putHead' | 'putPages' | 'cutPages' | 'remove' | 'list' | 'empty'>

const wordsRemembered = 500_000
const wordLock = 7_340_114

export function postgresWrites(pool: pg.Pool): Writes {
  const filed = new Set<string>()

  /** Words are written before what they are from, one process at a time, so that their numbers come in order. */
  const fileWords = async (words: Iterable<string>): Promise<void> => {
    const fresh = [...new Set(words)].filter((word) => !filed.has(word))
    if (fresh.length === 0) return
    await transaction(pool, async (client) => {
      await client.query('select pg_advisory_xact_lock($1)', [wordLock])
      await client.query('insert into search_word (word) select unnest($1::text[]) on conflict do nothing', [fresh])
    })
    if (filed.size > wordsRemembered) filed.clear()
    for (const word of fresh) filed.add(word)
  }

  return {
    async putHead(head: Head) {
      const fields = [head.title, head.keywords, head.description].map(storable)
      const title = fold(fields[0] ?? '')
      const all = fold(fields.join('|'))
      const [ofTitle, ofAll] = [tokenise(title), tokenise(all)]
      await fileWords(ofAll.words)
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
          await spellingOf(head.title),
        ])
        await refile(client, head)
      })
    },
    async putPages(entry: Pages) {
      const rows: PageRow[] = []
      const words = new Set<string>()
      for (const { page, text } of entry.pages) {
        if (page < 1 || page > lastPage) continue
        const folded = fold(storable(text))
        const tokens = tokenise(folded)
        for (const word of tokens.words) words.add(word)
        const [narrow, broad] = [hashes(tokens.page), hashes(tokens.entry)]
        rows.push({ row: pageRow(entry, page), text: storable(text), folded, narrow, broad })
        // A slice of long pages takes a while; others have their turn in between.
        if (rows.length % 5 === 0) await setImmediate()
      }
      await fileWords(words)
      await transaction(pool, async (client) => {
        await client.query(enterSql, [entryRow(entry)])
        await client.query(putPagesSql, [
          rows.map(({ row }) => row),
          rows.map(({ text }) => text),
          rows.map(({ folded }) => folded),
          rows.map(({ narrow }) => narrow),
          rows.map(({ broad }) => broad),
        ])
        await client.query('update search_entry set pages_mark = $2 where row = $1', [
          entryRow(entry),
          storable(entry.mark),
        ])
        await refile(client, entry)
      })
    },
    async cutPages(entry) {
      await transaction(pool, async (client) => {
        await client.query(enterSql, [entryRow(entry)])
        await client.query(cutSql, [pageRow(entry, entry.after + 1), pageRow(entry, lastPage)])
        await refile(client, entry)
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
        'select row, head_mark, pages_mark, pages from search_entry where row > $1 and row <= $2 order by row limit $3',
        [entryRow({ kind, id: after }), rowsBelow(kind, 'entry')[1], limit],
      )
      return rows.map(({ row, head_mark, pages_mark, pages }) => ({
        id: idOf(kind, 'entry', Number(row)),
        headMark: head_mark,
        pagesMark: pages_mark,
        pages,
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
  pages: number
}

const enterSql = 'insert into search_entry (row) values ($1) on conflict (row) do update set row = excluded.row'
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
    (excluded.text, excluded.folded, excluded.tokens, excluded.broad_tokens) where search_page.text <> excluded.text`

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

async function transaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

function hashes(tokens: Iterable<string>): string {
  return `{${[...new Set([...tokens].map(hashOf))].join(',')}}`
}

/** PostgreSQL takes neither; what stands in for them is as long, so that places stay. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ')
}
