/** How the addresses of lists are read and written. What makes no sense in them narrows nothing. */

export function oneOf<T extends object>(table: T, key: string | null): keyof T | undefined {
  return key !== null && Object.hasOwn(table, key) ? (key as keyof T) : undefined
}

export function languageIn(params: URLSearchParams): string {
  const code = params.get('language') ?? ''
  return /^[A-Za-z0-9-]{1,16}$/.test(code) ? code : ''
}

/** Only what says something stands in an address. */
export function queryString(words: Record<string, string>): string {
  const pairs = Object.entries(words).filter(([, value]) => value !== '')
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}
