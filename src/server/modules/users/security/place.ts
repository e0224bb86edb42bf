import { BlockList, isIP } from 'node:net'
import { toNetwork } from '#server/http/server/network.ts'

/** Where an address is, in words, without asking anyone: the address itself where there is nothing better to say. */
export function describePlace(ip: string, currentNetwork?: string): string {
  const version = isIP(ip)
  if (version === 0) return ''
  const place = own.check(ip, toFamily(version)) ? '本机' : inside.check(ip, toFamily(version)) ? '内网' : ''
  const isHere = currentNetwork !== undefined && toNetwork(ip) === currentNetwork
  return [place, isHere ? '与当前设备同一网络' : '', ip].filter(Boolean).join(' · ')
}

const own = new BlockList()
own.addSubnet('127.0.0.0', 8)
own.addAddress('::1', 'ipv6')

const inside = new BlockList()
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  inside.addSubnet(net, prefix)
inside.addSubnet('fc00::', 7, 'ipv6')
inside.addSubnet('fe80::', 10, 'ipv6')

function toFamily(version: number): 'ipv4' | 'ipv6' {
  return version === 6 ? 'ipv6' : 'ipv4'
}
