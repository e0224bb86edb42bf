import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { packWide } from '../text/packed-text.ts'

/** Rows arrive as arrays: there are thousands of them. */
type Row = unknown[]

interface Questions {
  all(sql: string, ...values: SQLInputValue[]): Row[]
  /** Of a question for one column, `n`. */
  numbers(sql: string, ...values: SQLInputValue[]): number[]
}

export function openQuestions(database: DatabaseSync): Questions {
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
  return {
    all,
    // Many numbers arrive sooner in one text than in as many rows.
    numbers: (sql, ...values) =>
      JSON.parse(String(all(`select json_group_array(n) from (${sql})`, ...values)[0]?.[0])) as number[],
  }
}

/**
 * Whether a packed text has a part: 0 if not, 1 if it has. In a text of two bytes a character, the same bytes may also lie
 * across characters: then it is 2, and not sure. The product of several tells it of all of them: 1 only if all are sure.
 */
export function seenSql(text: string): string {
  return `iif(typeof(${text}) = 'blob', ifnull(2 - nullif(instr(${text}, ?), 0) % 2, 0), instr(${text}, ?) > 0)`
}

/** What stands for the part there. */
export function seenValues(part: string): [Uint8Array, string] {
  return [packWide(part), part]
}
