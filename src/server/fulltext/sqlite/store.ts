import type { DatabaseSync } from 'node:sqlite'
import {
  type Candidate,
  type EntryPage,
  entryRow,
  type Match,
  maxPage,
  nextRowBelow,
  pageRow,
  rowRange,
  type ScanRange,
  type Scope,
  type Store,
  toEntryId,
  toPageNumber,
} from '../engine/store.ts'
import type { Entry, EntryKind, PageText } from '../fulltext.ts'
import { decodeText, fieldSeparator } from '../text/text-encoding.ts'
import { splitRuns, toBigrams } from '../text/tokenize.ts'
import { mostSelective } from './selectivity.ts'
import { containsSql, containsValues, preparedStatements } from './statements.ts'

/** Rows per scan where every text is rechecked. */
const maxRechecked = { title: 600, metadata: 600, pages: 600, entry: 60 } as const

/** Pages of an entry that a recheck reads without asking the index first. */
const firstPages = 40

interface ScannedRows {
  /** Those that match. */
  rows: number[]
  /** How many rows were read, and the last of them. */
  count: number
  last: number
}

export function sqliteStore(database: DatabaseSync): Store {
  const { all, numbers } = preparedStatements(database)
  const readPages = (kind: EntryKind, sql: string, ...values: (number | string | Uint8Array)[]): EntryPage[] =>
    all(sql, ...values).map(([row, text]) => ({
      id: toEntryId(kind, 'pages', Number(row)),
      page: toPageNumber(Number(row)),
      text: decodeText(text),
    }))
  const foldedPagesFrom = (entry: Entry, from: number, limit: number): PageText[] =>
    readPages(entry.kind, foldedFromSql, pageRow(entry, from), pageRow(entry, maxPage), limit)
  const pageRowsWith = (expression: string, entry: Entry, from: number): number[] => {
    const [low, high] = [BigInt(pageRow(entry, from)), BigInt(pageRow(entry, maxPage))]
    return numbers(pagesSql, expression, low, high)
  }
  const pageRows = (entry: Entry, from: number): number[] =>
    numbers(rowsSql, pageRow(entry, from), pageRow(entry, maxPage))
  const foldedText = (row: number, scope: Scope) => decodeText(all(foldedTextSql(scope), row)[0]?.[0])
  const missingFrom = (folded: string, substrings: readonly string[]) =>
    substrings.filter((substring) => !folded.includes(substring))

  /** Whether each substring is anywhere in the entry. After the first pages only those with its bigrams are read. */
  const isInEntry = (entry: Entry, substrings: readonly string[]): boolean => {
    let missing = substrings.length > 0 ? missingFrom(foldedText(entryRow(entry), 'metadata'), substrings) : substrings
    if (missing.length === 0) return true
    for (const { text } of foldedPagesFrom(entry, 1, firstPages))
      missing = missing.length > 0 ? missingFrom(text, missing) : missing
    return missing.every((substring) => {
      const bigrams = splitRuns(substring).flatMap((run) => (run.isWord ? [] : toBigrams(run.text)))
      const expression = toExpression({ anyOf: bigrams.slice(0, 10).map((bigram) => [bigram]) }, 'pages')
      const rows =
        bigrams.length > 0 ? pageRowsWith(expression, entry, firstPages + 1) : pageRows(entry, firstPages + 1)
      return rows.some((row) => foldedText(row, 'pages').includes(substring))
    })
  }
  const chooseTokens = mostSelective({
    newestWith(kind, tokens, limit) {
      const [low, high] = rowRange(kind, 'pages')
      return numbers(scanSql('pages'), toExpression({ anyOf: [tokens] }, 'pages'), BigInt(low), BigInt(high), limit)
    },
    newest: (kind, limit) => numbers(newestSql, ...rowRange(kind, 'pages'), limit),
  })
  /** Leaves out long posting lists where a recheck of the texts proves the same. */
  const simplify = (kind: EntryKind, match: Match): Match => {
    const contains = match.contains.length > 0 ? match.contains : (match.orContains ?? [])
    const anyOf = contains.length > 0 ? chooseTokens(kind, match.anyOf) : match.anyOf
    return anyOf.length < match.anyOf.length ? { ...match, anyOf, contains } : match
  }
  const scanTokens = (match: Match, { kind, scope, below }: ScanRange, limit: number): ScannedRows => {
    const [low, high] = rowRange(kind, scope, below)
    const rows = numbers(scanSql(scope), toExpression(match, scope), BigInt(low), BigInt(high), limit)
    return { rows, count: rows.length, last: rows.at(-1) ?? 0 }
  }
  /** With the recheck inside SQLite: of hundreds of texts few match. */
  const scanTexts = ({ anyOf, contains }: Match, { kind, scope, below }: ScanRange, limit: number): ScannedRows => {
    const [low, high] = rowRange(kind, scope, below)
    const expression = toExpression({ anyOf }, scope)
    const values = [...contains.flatMap(containsValues), expression, BigInt(low), BigInt(high), limit]
    const [rows, count, last] = all(scanTextsSql(scope, contains.length), ...values)[0] ?? []
    const possible = (JSON.parse(String(rows)) as number[]).map((row) => ({ row: Math.abs(row), isCertain: row > 0 }))
    const matches = (row: number) => missingFrom(foldedText(row, scope), contains).length === 0
    return {
      rows: possible.filter(({ row, isCertain }) => isCertain || matches(row)).map(({ row }) => row),
      count: Number(count),
      last: Number(last),
    }
  }

  return {
    async scan(requested, range) {
      const { kind, scope } = range
      const match = scope === 'pages' ? simplify(kind, requested) : requested
      const isRechecked = match.contains.length > 0
      const limit = isRechecked ? Math.min(maxRechecked[scope], range.rows) : range.rows
      const scanned = (isRechecked && scope !== 'entry' ? scanTexts : scanTokens)(match, range, limit)
      const candidates: Candidate[] = []
      let last: Candidate | undefined
      for (const row of scanned.rows) {
        const id = toEntryId(kind, scope, row)
        if (last?.id === id) last.pages++
        else if (scope !== 'entry' || !isRechecked || isInEntry({ kind, id }, match.contains)) {
          last = { id, pages: 1 }
          candidates.push(last)
        }
      }
      return { candidates, next: scanned.count === limit ? nextRowBelow(kind, scope, scanned.last, last) : undefined }
    },
    async filterMatching(match, kind, ids) {
      if (ids.length === 0) return []
      const hasTexts = (id: number) => isInEntry({ kind, id }, match.contains)
      if (match.anyOf.length === 0) return ids.filter(hasTexts)
      // One scan over the range of the ids is faster than a lookup for each.
      const [low, high] = [Math.min(...ids), Math.max(...ids)].map((id) => BigInt(entryRow({ kind, id })))
      const rows = numbers(scanSql('entry'), toExpression(match, 'entry'), low ?? 0, high ?? 0, -1)
      const withTokens = new Set(rows.map((row) => toEntryId(kind, 'entry', row)))
      return ids.filter((id) => withTokens.has(id) && hasTexts(id))
    },
    async count(match, { kind, scope, limit }) {
      const [low, high] = rowRange(kind, scope)
      const sql = `select count(*) from (${scanSql(scope)})`
      return Number(all(sql, toExpression(match, scope), BigInt(low), BigInt(high), limit)[0]?.[0])
    },
    matchingPages: async (match, entry) => pageRowsWith(toExpression(match, 'pages'), entry, 1).map(toPageNumber),
    foldedPagesFrom: async (entry, from, limit) => foldedPagesFrom(entry, from, limit),
    async foldedPages(entry, pages) {
      const rows = JSON.stringify(pages.map((page) => pageRow(entry, page)))
      return readPages(entry.kind, foldedSql, rows)
    },
    foldedPagesContaining: async (substrings, kind, ids) =>
      readPages(
        kind,
        foldedContainingSql(substrings.length),
        toRowList(kind, ids),
        ...substrings.flatMap(containsValues),
      ),
    async pageTexts(kind, pages) {
      return readPages(kind, textsSql, JSON.stringify(pages.map(({ id, page }) => pageRow({ kind, id }, page))))
    },
    async metadata(kind, ids) {
      return all(metadataSql, toRowList(kind, ids)).map(([row, title, keywords, description, pages]) => ({
        id: toEntryId(kind, 'entry', Number(row)),
        title: decodeText(title),
        keywords: decodeText(keywords),
        description: decodeText(description),
        pages: Number(pages),
      }))
    },
    async foldedMetadata(kind, ids) {
      return all(foldedMetadataSql, toRowList(kind, ids)).map(([row, whole]) => {
        const [title = '', keywords = ''] = decodeText(whole).split(fieldSeparator)
        return { id: toEntryId(kind, 'entry', Number(row)), title, keywords }
      })
    },
    async qualities(kind, ids) {
      const values = numbers(qualitiesSql, toRowList(kind, ids))
      return new Map(ids.map((id, index) => [id, values[index] ?? 0]))
    },
    async findByPinyin(letters, { kind, belowId, limit }) {
      const [low, high] = rowRange(kind, 'entry', belowId && entryRow({ kind, id: belowId }))
      return all(pinyinSql, low, high, letters, limit).map(([row, pinyin]) => ({
        id: toEntryId(kind, 'entry', Number(row)),
        pinyin: String(pinyin),
      }))
    },
    async countEntries(kind) {
      return Number(all('select count(*) from entry where row between ? and ?', ...rowRange(kind, 'entry'))[0]?.[0])
    },
    async highestId(kind) {
      const highest = all('select max(row) from entry where row between ? and ?', ...rowRange(kind, 'entry'))[0]?.[0]
      return highest === null ? 0 : toEntryId(kind, 'entry', Number(highest))
    },
    async wordsAfter(last) {
      const newest = Number(all('select max(n) from word')[0]?.[0] ?? 0)
      // A lower number: the words were lost and are being written again, numbered from the beginning.
      const rows = all('select word from word where n > ? order by n', newest < last ? 0 : last)
      return { words: rows.map(([word]) => String(word)), last: newest }
    },
  }
}

const metadataSql = `select row, title, keywords, description, pages from entry left join metadata using (row)
  where row in (select value from json_each(?))`
const foldedMetadataSql = 'select row, whole from folded_metadata where row in (select value from json_each(?))'
const qualitiesSql = 'select quality as n from json_each(?) left join entry on entry.row = value order by key'
const pinyinSql =
  'select row, pinyin from entry where row between ? and ? and instr(pinyin, ?) > 0 order by row desc limit ?'
const newestSql = 'select row as n from page where row between ? and ? order by row desc limit ?'
const foldedFromSql = 'select row, text from folded_page where row between ? and ? order by row limit ?'
const foldedSql = 'select row, text from folded_page where row in (select value from json_each(?)) order by row'
const textsSql = 'select row, text from page where row in (select value from json_each(?))'
const rowsSql = 'select row as n from page where row between ? and ? order by row'
const pagesSql = 'select rowid as n from page_index where page_index match ? and rowid between ? and ? order by rowid'

/** The FTS5 index of each scope, and the folded text that its rows are rechecked against. */
const sources = {
  title: { index: 'metadata_index', table: 'folded_metadata', text: 'title' },
  metadata: { index: 'metadata_index', table: 'folded_metadata', text: 'whole' },
  entry: { index: 'entry_index', table: 'folded_metadata', text: 'whole' },
  pages: { index: 'page_index', table: 'folded_page', text: 'text' },
} as const

function foldedTextSql(scope: Scope): string {
  const { table, text } = sources[scope]
  return `select ${text} from ${table} where row = ?`
}

function foldedContainingSql(count: number): string {
  const condition = Array.from({ length: count }, () => `${containsSql('text')} > 0`).join(' or ')
  const end = maxPage + 1
  return `select row, text from json_each(?) cross join folded_page on row between value * ${end} and value * ${end} + ${maxPage}
    where ${condition} order by row`
}

/** Rows that contain all substrings, negative where that is uncertain; of all rows read their number and the last one. */
function scanTextsSql(scope: Scope, count: number): string {
  const { index, table, text } = sources[scope]
  const certainty = Array.from({ length: count }, () => containsSql(`${table}.${text}`)).join(' * ')
  return `select json_group_array(iif(certainty = 1, n, -n)) filter (where certainty > 0), count(*), min(n) from (
    select ${index}.rowid as n, ${certainty} as certainty from ${index} cross join ${table} on ${table}.row = ${index}.rowid
    where ${index} match ? and ${index}.rowid between ? and ? order by ${index}.rowid desc limit ?)`
}

/** The bounds must be bound as integers (BigInt): with floats FTS5 ignores them and reads the whole posting list. */
function scanSql(scope: Scope): string {
  const { index } = sources[scope]
  return `select rowid as n from ${index} where ${index} match ? and rowid between ? and ? order by rowid desc limit ?`
}

/** In FTS5's query language. Tokens contain no quotes: only letters, digits, hanzi and symbols of names. */
function toExpression({ anyOf }: Pick<Match, 'anyOf'>, scope: Scope): string {
  const all = anyOf.map((tokens) => `(${tokens.map((token) => `"${token}"`).join(' OR ')})`).join(' AND ')
  return scope === 'title' ? `{title} : (${all})` : all
}

function toRowList(kind: EntryKind, ids: readonly number[]): string {
  return JSON.stringify(ids.map((id) => entryRow({ kind, id })))
}
