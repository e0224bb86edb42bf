/**
 * So that loading anew and coming back lead here. The router need not know: nothing on the page changes by it. `path` is the
 * page's own: who goes back is at another address already while that page is being fetched.
 */
export function noteInAddress(path: string, name: 'page' | 'find', value: string): void {
  const url = new URL(location.href)
  if (url.pathname !== path) return
  if (value === '') url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}
