import { BlockList, isIP } from 'node:net'
import { ConfigError } from '#server/config.ts'

export type ResolveAddress = (peer: string, forwardedFor: string | undefined) => string

/**
 * The IP address of the client. X-Forwarded-For counts only as far as trusted proxies wrote it: read from the right, the
 * first address that is not a trusted proxy is the client.
 */
export function addressResolver(trusted: readonly string[]): ResolveAddress {
  const proxies = new BlockList()
  for (const range of trusted) addProxy(proxies, range)
  const isProxy = (address: string) =>
    isIP(address) > 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (peer, forwardedFor) => {
    const direct = unmapIpv4(peer)
    if (!forwardedFor || !isProxy(direct)) return direct
    const hops = forwardedFor.split(',').map(unmapIpv4)
    const client = hops.findLast((hop) => !isProxy(hop)) ?? hops[0] ?? ''
    // An invalid address was not written by a trusted proxy, and what is left of it may be forged.
    return isIP(client) > 0 ? client : direct
  }
}

function addProxy(proxies: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  const version = isIP(address)
  const prefix = bits === undefined ? undefined : Number(bits)
  const tooLong =
    prefix !== undefined && !(Number.isInteger(prefix) && prefix >= 0 && prefix <= (version === 6 ? 128 : 32))
  if (version === 0 || tooLong) throw new ConfigError(`TRUST_PROXY 中的 ${range} 不是地址或网段`)
  const type = version === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) proxies.addAddress(address, type)
  else proxies.addSubnet(address, prefix, type)
}

/** A dual-stack socket has IPv4-mapped IPv6 addresses. */
function unmapIpv4(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, '')
}
