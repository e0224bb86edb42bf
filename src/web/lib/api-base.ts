/** Where the API is, without a slash at the end: as given when the server was started, or when the pages were built. */
export function apiBase(): string {
  const given = document.querySelector<HTMLMetaElement>('meta[name=api-base]')?.content
  return new URL(given || import.meta.env['VITE_API_BASE_URL'] || '/', location.origin).href.replace(/\/+$/, '')
}
