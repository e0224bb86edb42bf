/** So that loading anew and coming back lead here. The router need not know: nothing on the page changes by it. */
export function noteInAddress(name: 'page' | 'find', value: string): void {
  const url = new URL(location.href)
  if (value === '') url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  if (url.href !== location.href) history.replaceState(history.state, '', url)
}
