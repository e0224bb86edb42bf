import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { encodeUtf16 } from '../text/text-encoding.ts'

/** Rows as arrays: there are thousands of them. */
type Row = unknown[]

interface PreparedStatements {
  all(sql: string, ...values: SQLInputValue[]): Row[]
  /** Of a query for a single column `n`. */
  numbers(sql: string, ...values: SQLInputValue[]): number[]
}

export function preparedStatements(database: DatabaseSync): PreparedStatements {
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const statement = database.prepare(sql)
    statement.setReturnArrays(true)
    statements.set(sql, statement)
    return statement
  }
  const all = (sql: string, ...values: SQLInputValue[]): Row[] =>
    (statements.get(sql) ?? prepare(sql)).all(...values) as unknown as Row[]
  return {
    all,
    // One JSON text is faster to transfer than as many rows.
    numbers: (sql, ...values) =>
      JSON.parse(String(all(`select json_group_array(n) from (${sql})`, ...values)[0]?.[0])) as number[],
  }
}

/**
 * Whether an encoded text contains a substring: 0 no, 1 yes, 2 perhaps. The product over several substrings is 0 if one is
 * missing and 1 only if all are certain.
 *
 * "Perhaps" is a byte-misaligned match in UTF-16: `instr` compares bytes, and the bytes of a substring may begin in the
 * middle of a character. 假襎桛兑 is stored as `47 50│4e 89│5b 68│51 51`; read from the second byte on, that is
 * `50 4e│89 5b│68 51`, 乐安全. `instr` counts from 1: an odd position is aligned, an even one is not, and the caller must
 * search the decoded text, which may have an aligned match further on.
 */
export function containsSql(text: string): string {
  return `iif(typeof(${text}) = 'blob', ifnull(2 - nullif(instr(${text}, ?), 0) % 2, 0), instr(${text}, ?) > 0)`
}

/** The two parameters of `containsSql`: for a text stored as UTF-16 bytes and for one stored as UTF-8 text. */
export function containsValues(substring: string): [Uint8Array, string] {
  return [encodeUtf16(substring), substring]
}
