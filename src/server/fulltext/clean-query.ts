import { maxQueryLength } from '#shared/contract/marked-text.ts'

/** What was typed, without what no database can hold, and no longer than what is searched for. */
export function cleanQuery(typed: string): string {
  return typed.replaceAll('\0', ' ').trim().slice(0, maxQueryLength).toWellFormed()
}
