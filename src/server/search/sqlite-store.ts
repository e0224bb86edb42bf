import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { fold } from './fold.ts'
import { unpack } from './packed-text.ts'
import type { Entry, Kind, PageText } from './search.ts'
import { telling } from './sqlite-telling.ts'
import {
  type Candidate,
  entryRow,
  idOf,
  lastPage,
  type Match,
  pageOf,
  pageRow,
  rowBehind,
  rowsOf,
  type Store,
  type Walk,
  type Where,
} from './store.ts'
import { pairsOf, runsOf } from './tokenise.ts'

/** Fewer rows at a time where every text must be looked into. */
const rowsRead = { title: 600, head: 600, pages: 600, entry: 60 } as const

const firstPages = 40

/** Rows arrive as arrays: there are thousands of them. */
type Row = unknown[]

export function sqliteStore(database: DatabaseSync): Store {
  const statements = new Map<string, StatementSync>()
  const all = (sql: string, ...values: SQLInputValue[]): Row[] => {
    const known = statements.get(sql)
    const statement = known ?? database.prepare(sql)
    if (!known) {
      statement.setReturnArrays(true)
      statements.set(sql, statement)
    }
    return statement.all(...values) as unknown as Row[]
  }
  /** Many numbers arrive sooner in one text than in as many rows. */
  const numbers = (sql: string, ...values: SQLInputValue[]): number[] =>
    JSON.parse(String(all(`select json_group_array(n) from (${sql})`, ...values)[0]?.[0])) as number[]
  const textsIn = (entry: Entry, from: number, limit: number): PageText[] =>
    all(textsSql, pageRow(entry, from), pageRow(entry, lastPage), limit).map(([row, text]) => ({
      page: pageOf(Number(row)),
      text: unpack(text),
    }))
  const headOf = (row: number, where: Where) => {
    const [title, keywords, description] = (all(headSql, row)[0] ?? []).map(unpack)
    // A bar between the fields, as nothing is looked for across it.
    return fold(where === 'title' ? (title ?? '') : `${title}|${keywords}|${description}`)
  }
  const lackingIn = (folded: string, parts: readonly string[]) => parts.filter((part) => !folded.includes(part))

  const pagesWith = (tokens: string, entry: Entry, from: number): number[] => {
    const [low, high] = [BigInt(pageRow(entry, from)), BigInt(pageRow(entry, lastPage))]
    return numbers(pagesSql, tokens, low, high)
  }
  const pageAt = (row: number) => fold(unpack(all(pageSql, row)[0]?.[0]))

  /** Each part may be somewhere else in the entry. Behind the first pages only those with its pairs of hanzi are read. */
  const isInEntry = (entry: Entry, has: readonly string[]): boolean => {
    let lacking = has.length > 0 ? lackingIn(headOf(entryRow(entry), 'head'), has) : has
    if (lacking.length === 0) return true
    for (const { text } of textsIn(entry, 1, firstPages))
      lacking = lacking.length > 0 ? lackingIn(fold(text), lacking) : lacking
    return lacking.every((part) => {
      const pairs = runsOf(part).flatMap((run) => (run.isWord ? [] : pairsOf(run.text)))
      const tokens = expression({ any: pairs.slice(0, 10).map((pair) => [pair]) }, 'pages')
      const rows = pairs.length > 0 ? pagesWith(tokens, entry, firstPages + 1) : pageRows(entry, firstPages + 1)
      return rows.some((row) => pageAt(row).includes(part))
    })
  }
  const pageRows = (entry: Entry, from: number): number[] =>
    numbers(rowsSql, pageRow(entry, from), pageRow(entry, lastPage))
  // Mostly it stands there as it is; folding is for the rest.
  const isInText = (text: string, has: readonly string[]): boolean => {
    const lacking = lackingIn(text, has)
    return lacking.length === 0 || lackingIn(fold(text), lacking).length === 0
  }
  const tellingOf = telling((kind, tokens, limit) => {
    const [low, high] = rowsOf(kind, 'pages')
    const rows = numbers(walkSql('pages'), expression({ any: [tokens] }, 'pages'), BigInt(low), BigInt(high), limit)
    return { last: numbers(lastSql, high)[0] ?? 0, rows }
  })
  const isThere = ({ has }: Match, row: number, text: unknown, { where, kind }: Walk): boolean => {
    if (has.length === 0) return true
    if (where === 'entry') return isInEntry({ kind, id: idOf(kind, where, row) }, has)
    if (where === 'pages') return isInText(unpack(text), has)
    return lackingIn(headOf(row, where), has).length === 0
  }

  return {
    async walk(match, range) {
      const { kind, where, below, rows } = range
      const limit = match.has.length > 0 ? Math.min(rowsRead[where], rows) : rows
      const [low, high] = rowsOf(kind, where, below)
      const isRead = where === 'pages' && match.has.length > 0
      const tokens = isRead ? { any: tellingOf(kind, match.any) } : match
      const asked = [expression(tokens, where), BigInt(low), BigInt(high), limit] as const
      const looked = isRead ? all(walkTextsSql, ...asked) : numbers(walkSql(where), ...asked).map((row) => [row])
      const found: Candidate[] = []
      let last: Candidate | undefined
      for (const [row, text] of looked) {
        const id = idOf(kind, where, Number(row))
        if (last?.id === id) last.pages++
        else if (isThere(match, Number(row), text, range)) {
          last = { id, pages: 1 }
          found.push(last)
        }
      }
      const end = Number(looked.at(-1)?.[0])
      return { found, next: looked.length === limit ? rowBehind(kind, where, end, last) : undefined }
    },
    async among(match, kind, ids) {
      if (ids.length === 0) return []
      const isThere = (id: number) => isInEntry({ kind, id }, match.has)
      if (match.any.length === 0) return ids.filter(isThere)
      // One pass over all with these tokens is quicker than to look each of them up.
      const [low, high] = [Math.min(...ids), Math.max(...ids)].map((id) => BigInt(entryRow({ kind, id })))
      const rows = numbers(walkSql('entry'), expression(match, 'entry'), low ?? 0, high ?? 0, -1)
      const having = new Set(rows.map((row) => idOf(kind, 'entry', row)))
      return ids.filter((id) => having.has(id) && isThere(id))
    },
    async count(match, { kind, where, upTo }) {
      const [low, high] = rowsOf(kind, where)
      const sql = `select count(*) from (${walkSql(where)})`
      return Number(all(sql, expression(match, where), BigInt(low), BigInt(high), upTo)[0]?.[0])
    },
    pagesOf: async (match, entry) => pagesWith(expression(match, 'pages'), entry, 1).map(pageOf),
    async texts(entry, pages) {
      const rows = JSON.stringify(pages.map((page) => pageRow(entry, page)))
      return all(pagesTextSql, rows).map(([row, text]) => ({ page: pageOf(Number(row)), text: unpack(text) }))
    },
    textsFrom: async (entry, from, limit) => textsIn(entry, from, limit),
    async heads(kind, ids) {
      return all(headsSql, rowList(kind, ids)).map(([row, title, keywords, description, pages]) => ({
        id: idOf(kind, 'entry', Number(row)),
        title: unpack(title),
        keywords: unpack(keywords),
        description: unpack(description),
        pages: Number(pages),
      }))
    },
    async qualities(kind, ids) {
      const found = numbers(qualitiesSql, rowList(kind, ids))
      return new Map(ids.map((id, index) => [id, found[index] ?? 0]))
    },
    async spelled(letters, { kind, belowId, limit }) {
      const [low, high] = rowsOf(kind, 'entry', belowId && entryRow({ kind, id: belowId }))
      return numbers(spelledSql, low, high, letters, limit).map((row) => idOf(kind, 'entry', row))
    },
    async wordsAfter(last) {
      const newest = Number(all('select max(n) from word')[0]?.[0] ?? 0)
      // Fewer than before: they were lost and are being filed again, with numbers from the beginning.
      const found = all('select word from word where n > ? order by n', newest < last ? 0 : last)
      return { words: found.map(([word]) => String(word)), last: newest }
    },
  }
}

const headSql = 'select title, keywords, description from head where row = ?'
const headsSql = `select row, title, keywords, description, pages from entry left join head using (row)
  where row in (select value from json_each(?))`
const qualitiesSql = 'select quality as n from json_each(?) left join entry on entry.row = value order by key'
const spelledSql =
  'select row as n from entry where row between ? and ? and instr(spelling, ?) > 0 order by row desc limit ?'
const lastSql = 'select max(row) as n from page where row <= ?'
const pageSql = 'select text from page where row = ?'
const textsSql = 'select row, text from page where row between ? and ? order by row limit ?'
const rowsSql = 'select row as n from page where row between ? and ? order by row'
const pagesTextSql = 'select row, text from page where row in (select value from json_each(?)) order by row'
const pagesSql = 'select rowid as n from page_index where page_index match ? and rowid between ? and ? order by rowid'

/** Pages with their texts: one question instead of hundreds. */
const walkTextsSql = `select page_index.rowid, page.text from page_index cross join page on page.row = page_index.rowid
  where page_index match ? and page_index.rowid between ? and ? order by page_index.rowid desc limit ?`

/** The limits must be bound as integers: FTS5 reads past others without a word, through the whole list. */
function walkSql(where: Where): string {
  const index = where === 'pages' ? 'page_index' : where === 'entry' ? 'entry_index' : 'head_index'
  return `select rowid as n from ${index} where ${index} match ? and rowid between ? and ? order by rowid desc limit ?`
}

/** Tokens hold no quotes: they are letters, digits, hanzi and the symbols that belong to names. */
function expression({ any }: Pick<Match, 'any'>, where: Where): string {
  const all = any.map((tokens) => `(${tokens.map((token) => `"${token}"`).join(' OR ')})`).join(' AND ')
  return where === 'title' ? `{title} : (${all})` : all
}

function rowList(kind: Kind, ids: readonly number[]): string {
  return JSON.stringify(ids.map((id) => entryRow({ kind, id })))
}
