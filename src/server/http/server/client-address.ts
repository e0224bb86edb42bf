import { BlockList, isIP } from 'node:net'
import { ConfigError } from '#server/config.ts'

export type AddressOf = (peer: string, forwardedFor: string | undefined) => string

/**
 * The address a request really comes from. A forwarded header counts only as far as trusted proxies wrote it:
 * read from the right, the first address that is not one of ours is the client.
 */
export function clientAddress(trusted: readonly string[]): AddressOf {
  const proxies = new BlockList()
  for (const range of trusted) allow(proxies, range)
  const isProxy = (address: string) =>
    isIP(address) > 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (peer, forwardedFor) => {
    const direct = plain(peer)
    if (!forwardedFor || !isProxy(direct)) return direct
    const hops = forwardedFor.split(',').map(plain)
    const client = hops.findLast((hop) => !isProxy(hop)) ?? hops[0] ?? ''
    // What is no address ends the chain: to its left anybody may have written anything.
    return isIP(client) > 0 ? client : direct
  }
}

function allow(proxies: BlockList, range: string): void {
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

/** IPv4 addresses reach a dual-stack socket in IPv6 dress. */
function plain(address: string): string {
  return address.trim().replace(/^::ffff:(?=\d+\.)/i, '')
}
