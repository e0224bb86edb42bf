import type { ExpressionBuilder } from 'kysely'
import { Visibility } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import type { Ctx } from '#server/context.ts'
import type { Tables } from '#server/db/tables.ts'

export type Value = string | number | boolean | null
export interface ExportedRow {
  id: number
  [column: string]: Value
}

export interface Section {
  /** Of its file. */
  name: string
  title: string
  /** Its table: headings, and what stands below them. */
  columns: Record<string, (row: ExportedRow) => string>
  /** The next rows, in the order of their ids. */
  read(db: Ctx['db'], userId: number, after: number): Promise<ExportedRow[]>
}

export const batch = 200
export const text = (column: string) => (row: ExportedRow) => String(row[column] ?? '')
export const time = (column: string) => (row: ExportedRow) => (row[column] ? formatTime(Number(row[column])) : '')

/** What others hid from the member after all stays out. */
export const isTitleKnownTo = (userId: number) => (eb: ExpressionBuilder<Pick<Tables, 'document'>, 'document'>) =>
  eb.or([eb('document.user_id', '=', userId), eb('document.visibility', '=', Visibility.Public)])
