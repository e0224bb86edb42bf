import { BlockList } from 'node:net'

/** This machine, its network and everything else that is not the public internet; cloud metadata services are among them. */
export const privateAddresses = new BlockList()

const ipv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
// Not ::/3: an IPv4 address is compared as ::ffff:0:0/96 and would be in it.
const ipv6 = [
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

for (const [family, subnets] of [['ipv4', ipv4] as const, ['ipv6', ipv6] as const]) {
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/')
    privateAddresses.addSubnet(address, Number(bits), family)
  }
}
