/** Pictures and videos may be on this site, or on others with HTTPS; data URLs are not allowed. */
export function isMediaAddress(address: string): boolean {
  return /^\/uploads\/[\w/.-]+$/.test(address) || URL.parse(address)?.protocol === 'https:'
}

/** The typed text as a link address; empty if it is none. */
export function linkAddress(typed: string): string {
  const text = typed.trim()
  if (text === '' || /^[/\\]{2}/.test(text)) return ''
  if (/^(\/(?![/\\])|#)/.test(text)) return text
  if (/^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(text)) return `mailto:${text}`
  const address = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`
  const url = URL.parse(address)
  if (!url || !safeProtocols.has(url.protocol)) return ''
  return /^https?:$/.test(url.protocol) && !isHost(url.hostname) ? '' : address
}

const safeProtocols = new Set(['http:', 'https:', 'mailto:'])

function isHost(name: string): boolean {
  return name === 'localhost' || name.includes('.') || name.startsWith('[')
}
