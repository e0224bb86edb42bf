/**
 * Keeps the page, the view and the searched words in the address for reloading and going back, without a router navigation: nothing
 * on the page changes by it. During a navigation the address is another one already: `path` is the reader's own.
 */
export function replaceQueryParam(path: string, name: 'page' | 'find' | 'view', value: string): void {
  const url = new URL(location.href)
  if (url.pathname !== path) return
  if (value === '') url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}
