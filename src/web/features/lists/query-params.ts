import { ContentType } from '#shared/enums.ts'

/** Reading and writing the query of list pages. Invalid values are ignored. */

/** The value of a parameter that must be a key of the table. */
export function parseKey<T extends object>(table: T, key: string | null): keyof T | undefined {
  return key !== null && Object.hasOwn(table, key) ? (key as keyof T) : undefined
}

export function parseLanguage(params: URLSearchParams): string {
  const code = params.get('language') ?? ''
  return /^[A-Za-z0-9-]{1,16}$/.test(code) ? code : ''
}

export function parseContentType(params: URLSearchParams): ContentType {
  return params.get('type') === String(ContentType.Article) ? ContentType.Article : ContentType.Document
}

/** Leaves out empty values. */
export function toQueryString(values: Record<string, string>): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== '')
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}
