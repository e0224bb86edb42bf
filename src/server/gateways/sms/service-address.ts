import { OutboundError } from '../outbound/outbound-error.ts'

/** A provider's address, or the one that the owner has set in its place, which may be in a private network. */
export function serviceAddress(override: string, official: string, path: string): { url: URL; allowsPrivate: boolean } {
  const url = URL.parse(`${(override || official).replace(/\/+$/, '')}${path}`)
  if (!url) throw new OutboundError('address')
  return { url, allowsPrivate: override !== '' }
}
