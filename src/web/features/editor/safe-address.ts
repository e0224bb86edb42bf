/** Where a picture or a video of an article may lie: on this site, or elsewhere if it comes encrypted. Never in the text. */
export function isMediaAddress(address: string): boolean {
  return /^\/uploads\/[\w/.-]+$/.test(address) || URL.parse(address)?.protocol === 'https:'
}

/** What a person typed, as a link leads there; nothing if it cannot be one. */
export function linkAddress(typed: string): string {
  const text = typed.trim()
  if (text === '' || /^[/\\]{2}/.test(text)) return ''
  if (/^(\/(?![/\\])|#)/.test(text)) return text
  if (/^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(text)) return `mailto:${text}`
  const address = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`
  const url = URL.parse(address)
  if (!url || !safe.has(url.protocol)) return ''
  return /^https?:$/.test(url.protocol) && !isHost(url.hostname) ? '' : address
}

const safe = new Set(['http:', 'https:', 'mailto:'])

function isHost(name: string): boolean {
  return name === 'localhost' || name.includes('.') || name.startsWith('[')
}
