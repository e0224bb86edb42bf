import type { Tables } from '#server/db/tables.ts'

/** A site that has not been upgraded yet is backed up as it is, with the names that a migration has changed since. */

const renaming = '0007-conventional-names'

export const formerTables: Record<string, keyof Tables> = {
  attempt: 'rate_limit',
  letter: 'mail',
  tally: 'daily_count',
  visitor: 'daily_visitor',
  dynamic: 'activity',
  sign: 'check_in',
  daily_use: 'quota_usage',
}

const formerColumns = { deleting: 'leaving', source_type: 'type', is_derived: 'made', text_pages: 'read_pages' }

/** The name of a column in a database that has been through the migrations of `schema`. */
export function columnIn(schema: readonly string[], column: keyof typeof formerColumns): string {
  return schema.includes(renaming) ? column : formerColumns[column]
}
