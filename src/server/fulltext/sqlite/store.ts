import type { DatabaseSync } from 'node:sqlite'
import { fieldEnd, unpack } from '../text/packed-text.ts'
import type { Entry, Kind, PageText } from '../fulltext.ts'
import { openQuestions, seenSql, seenValues } from './statements.ts'
import { telling } from './selectivity.ts'
import {
  type Candidate,
  entryRow,
  idOf,
  lastPage,
  type Match,
  type PageOf,
  pageOf,
  pageRow,
  rowBehind,
  rowsOf,
  type Store,
  type Walk,
  type Where,
} from '../engine/store.ts'
import { pairsOf, runsOf } from '../text/tokenize.ts'

/** Fewer rows at a time where every text must be looked into. */
const rowsRead = { title: 600, head: 600, pages: 600, entry: 60 } as const

const firstPages = 40

/** Rows that were looked at: those that match, how many they were, and the last one. */
interface Looked {
  rows: number[]
  count: number
  end: number
}

export function sqliteStore(database: DatabaseSync): Store {
  const { all, numbers } = openQuestions(database)
  const pagesIn = (kind: Kind, sql: string, ...values: (number | string | Uint8Array)[]): PageOf[] =>
    all(sql, ...values).map(([row, text]) => ({
      id: idOf(kind, 'pages', Number(row)),
      page: pageOf(Number(row)),
      text: unpack(text),
    }))
  const foldedIn = (entry: Entry, from: number, limit: number): PageText[] =>
    pagesIn(entry.kind, foldedFromSql, pageRow(entry, from), pageRow(entry, lastPage), limit)
  const pagesWith = (tokens: string, entry: Entry, from: number): number[] => {
    const [low, high] = [BigInt(pageRow(entry, from)), BigInt(pageRow(entry, lastPage))]
    return numbers(pagesSql, tokens, low, high)
  }
  const pageRows = (entry: Entry, from: number): number[] =>
    numbers(rowsSql, pageRow(entry, from), pageRow(entry, lastPage))
  const foldedAt = (row: number, where: Where) => unpack(all(foldedAtSql(where), row)[0]?.[0])
  const lackingIn = (folded: string, parts: readonly string[]) => parts.filter((part) => !folded.includes(part))

  /** Each part may be somewhere else in the entry. Behind the first pages only those with its pairs of hanzi are read. */
  const isInEntry = (entry: Entry, has: readonly string[]): boolean => {
    let lacking = has.length > 0 ? lackingIn(foldedAt(entryRow(entry), 'head'), has) : has
    if (lacking.length === 0) return true
    for (const { text } of foldedIn(entry, 1, firstPages))
      lacking = lacking.length > 0 ? lackingIn(text, lacking) : lacking
    return lacking.every((part) => {
      const pairs = runsOf(part).flatMap((run) => (run.isWord ? [] : pairsOf(run.text)))
      const tokens = expression({ any: pairs.slice(0, 10).map((pair) => [pair]) }, 'pages')
      const rows = pairs.length > 0 ? pagesWith(tokens, entry, firstPages + 1) : pageRows(entry, firstPages + 1)
      return rows.some((row) => foldedAt(row, 'pages').includes(part))
    })
  }
  const tellingOf = telling({
    newest(kind, tokens, limit) {
      const [low, high] = rowsOf(kind, 'pages')
      return numbers(walkSql('pages'), expression({ any: [tokens] }, 'pages'), BigInt(low), BigInt(high), limit)
    },
    last: (kind, limit) => numbers(lastSql, ...rowsOf(kind, 'pages'), limit),
  })
  /** Long lists are left out where the texts can tell. */
  const shortened = (kind: Kind, match: Match): Match => {
    const has = match.has.length > 0 ? match.has : (match.orHas ?? [])
    const any = has.length > 0 ? tellingOf(kind, match.any) : match.any
    return any.length < match.any.length ? { ...match, any, has } : match
  }
  /** By the tokens alone. */
  const look = (match: Match, { kind, where, below }: Walk, limit: number): Looked => {
    const [low, high] = rowsOf(kind, where, below)
    const rows = numbers(walkSql(where), expression(match, where), BigInt(low), BigInt(high), limit)
    return { rows, count: rows.length, end: rows.at(-1) ?? 0 }
  }
  /** And into the texts, inside SQLite: hundreds of them, of which few are wanted. */
  const lookInto = ({ any, has }: Match, { kind, where, below }: Walk, limit: number): Looked => {
    const [low, high] = rowsOf(kind, where, below)
    const tokens = expression({ any }, where)
    const values = [...has.flatMap(seenValues), tokens, BigInt(low), BigInt(high), limit]
    const [rows, count, end] = all(walkTextsSql(where, has.length), ...values)[0] ?? []
    const met = (JSON.parse(String(rows)) as number[]).map((row) => ({ row: Math.abs(row), isSure: row > 0 }))
    const isThere = (row: number) => lackingIn(foldedAt(row, where), has).length === 0
    return {
      rows: met.filter(({ row, isSure }) => isSure || isThere(row)).map(({ row }) => row),
      count: Number(count),
      end: Number(end),
    }
  }

  return {
    async walk(asked, range) {
      const { kind, where, rows } = range
      const match = where === 'pages' ? shortened(kind, asked) : asked
      const isRead = match.has.length > 0
      const limit = isRead ? Math.min(rowsRead[where], rows) : rows
      const looked = isRead && where !== 'entry' ? lookInto(match, range, limit) : look(match, range, limit)
      const found: Candidate[] = []
      let last: Candidate | undefined
      for (const row of looked.rows) {
        const id = idOf(kind, where, row)
        if (last?.id === id) last.pages++
        else if (where !== 'entry' || !isRead || isInEntry({ kind, id }, match.has)) {
          last = { id, pages: 1 }
          found.push(last)
        }
      }
      return { found, next: looked.count === limit ? rowBehind(kind, where, looked.end, last) : undefined }
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
    foldedFrom: async (entry, from, limit) => foldedIn(entry, from, limit),
    async folded(entry, pages) {
      const rows = JSON.stringify(pages.map((page) => pageRow(entry, page)))
      return pagesIn(entry.kind, foldedSql, rows)
    },
    foldedWith: async (parts, kind, ids) =>
      pagesIn(kind, foldedWithSql(parts.length), rowList(kind, ids), ...parts.flatMap(seenValues)),
    async texts(kind, pages) {
      return pagesIn(kind, textsSql, JSON.stringify(pages.map(({ id, page }) => pageRow({ kind, id }, page))))
    },
    async heads(kind, ids) {
      return all(headsSql, rowList(kind, ids)).map(([row, title, keywords, description, pages]) => ({
        id: idOf(kind, 'entry', Number(row)),
        title: unpack(title),
        keywords: unpack(keywords),
        description: unpack(description),
        pages: Number(pages),
      }))
    },
    async foldedHeads(kind, ids) {
      return all(foldedHeadsSql, rowList(kind, ids)).map(([row, whole]) => {
        const [title = '', keywords = ''] = unpack(whole).split(fieldEnd)
        return { id: idOf(kind, 'entry', Number(row)), title, keywords }
      })
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

const headsSql = `select row, title, keywords, description, pages from entry left join head using (row)
  where row in (select value from json_each(?))`
const foldedHeadsSql = 'select row, whole from folded_head where row in (select value from json_each(?))'
const qualitiesSql = 'select quality as n from json_each(?) left join entry on entry.row = value order by key'
const spelledSql =
  'select row as n from entry where row between ? and ? and instr(spelling, ?) > 0 order by row desc limit ?'
const lastSql = 'select row as n from page where row between ? and ? order by row desc limit ?'
const foldedFromSql = 'select row, text from folded_page where row between ? and ? order by row limit ?'
const foldedSql = 'select row, text from folded_page where row in (select value from json_each(?)) order by row'
const textsSql = 'select row, text from page where row in (select value from json_each(?))'
const rowsSql = 'select row as n from page where row between ? and ? order by row'
const pagesSql = 'select rowid as n from page_index where page_index match ? and rowid between ? and ? order by rowid'

/** Where the texts lie that are looked into. */
const foldedOf = {
  title: { index: 'head_index', table: 'folded_head', text: 'title' },
  head: { index: 'head_index', table: 'folded_head', text: 'whole' },
  entry: { index: 'entry_index', table: 'folded_head', text: 'whole' },
  pages: { index: 'page_index', table: 'folded_page', text: 'text' },
} as const

function foldedAtSql(where: Where): string {
  const { table, text } = foldedOf[where]
  return `select ${text} from ${table} where row = ?`
}

function foldedWithSql(parts: number): string {
  const seen = Array.from({ length: parts }, () => `${seenSql('text')} > 0`).join(' or ')
  const end = lastPage + 1
  return `select row, text from json_each(?) cross join folded_page on row between value * ${end} and value * ${end} + ${lastPage}
    where ${seen} order by row`
}

/** Rows where all parts were seen, less than 0 where that is not sure, and of all that were looked at the number and the last. */
function walkTextsSql(where: Where, parts: number): string {
  const { index, table, text } = foldedOf[where]
  const seen = Array.from({ length: parts }, () => seenSql(`${table}.${text}`)).join(' * ')
  return `select json_group_array(iif(seen = 1, n, -n)) filter (where seen > 0), count(*), min(n) from (
    select ${index}.rowid as n, ${seen} as seen from ${index} cross join ${table} on ${table}.row = ${index}.rowid
    where ${index} match ? and ${index}.rowid between ? and ? order by ${index}.rowid desc limit ?)`
}

/** The limits must be bound as integers: FTS5 reads past others without a word, through the whole list. */
function walkSql(where: Where): string {
  const { index } = foldedOf[where]
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
