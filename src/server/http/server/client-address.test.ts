import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { users } from '#shared/contract/users.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { addressResolver } from './client-address.ts'

describe('the address of a request', () => {
  const trusting = addressResolver(['10.0.0.1', '192.168.0.0/16', 'fd00::/8'])

  test.each([
    ['the peer itself', '203.0.113.5', undefined, '203.0.113.5'],
    ['the peer, whatever a stranger claims', '203.0.113.5', '1.1.1.1', '203.0.113.5'],
    ['the header of a trusted proxy', '10.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['the header of a proxy in a trusted network', '192.168.7.7', '203.0.113.5', '203.0.113.5'],
    ['the header of a trusted proxy over IPv6', 'fd12::1', '2001:db8::5', '2001:db8::5'],
    ['the last hop that is not trusted', '10.0.0.1', '1.1.1.1, 203.0.113.5', '203.0.113.5'],
    ['the hop before the trusted proxies', '10.0.0.1', '1.1.1.1, 203.0.113.5, 192.168.1.1', '203.0.113.5'],
    ['a trusted proxy that is itself the client', '10.0.0.1', '192.168.1.1', '192.168.1.1'],
    ['the proxy, when the header is missing', '10.0.0.1', undefined, '10.0.0.1'],
    ['the proxy, when the header is empty', '10.0.0.1', ' , ', '10.0.0.1'],
    ['the proxy, when the header is garbage', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['the proxy, rather than an address before garbage', '10.0.0.1', '1.1.1.1, unknown', '10.0.0.1'],
    ['the proxy, rather than a script', '10.0.0.1', '<script>alert(1)</script>', '10.0.0.1'],
    ['an IPv4-mapped address as IPv4', '::ffff:203.0.113.5', '1.1.1.1', '203.0.113.5'],
    ['the header of an IPv4-mapped proxy', '::ffff:10.0.0.1', '::FFFF:203.0.113.5', '203.0.113.5'],
  ])('is %s', (_what, peer, forwarded, address) => {
    expect(trusting(peer, forwarded)).toBe(address)
  })

  test.each(['nonsense', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/-1', '::/129', '10.0.0/8'])(
    'the trusted proxy %s is refused at the start',
    (range) => {
      expect(() => addressResolver([range])).toThrow(range)
    },
  )
})

describe('guessing with forged headers', () => {
  const proxy = '10.0.0.1'
  let site: Site
  let member: Person
  let addresses = 0
  beforeAll(async () => {
    site = await openSite({ TRUST_PROXY: proxy })
    site.freezeClock()
  })
  afterAll(() => site.close())
  beforeEach(async () => {
    member = await site.member()
  })

  test('is counted for the real address', async () => {
    for (let guess = 0; guess < 5; guess++) expect(await guessFrom('203.0.113.9', nextAddress())).toBe(400)
    expect(await guessFrom('203.0.113.9', nextAddress())).toBe(429)
  })

  test('is counted for the real address behind a trusted proxy as well', async () => {
    const claims = (real: string) => `${nextAddress()}, ${real}`
    for (let guess = 0; guess < 5; guess++) expect(await guessFrom(proxy, claims('203.0.113.10'))).toBe(400)
    expect(await guessFrom(proxy, claims('203.0.113.10'))).toBe(429)
    expect(await guessFrom(proxy, claims('203.0.113.11'))).toBe(400)
  })

  test.each(['x-real-ip', 'forwarded', 'cf-connecting-ip', 'true-client-ip', 'grpc-metadata-x-real-ip'])(
    'ignores %s',
    async (header) => {
      const ip = nextAddress()
      const guess = () => post(ip, 'wrong', { [header]: nextAddress() })
      for (let tries = 0; tries < 5; tries++) expect(await guess()).toBe(400)
      expect(await guess()).toBe(429)
    },
  )

  test('records no false address in the account', async () => {
    expect(await post('203.0.113.77', member.password, { 'x-forwarded-for': '8.8.8.8', 'x-real-ip': '8.8.8.8' })).toBe(
      200,
    )
    expect((await site.root.call(users.get, { id: member.id })).last_login_ip).toBe('203.0.113.77')
    expect(await post(proxy, member.password, { 'x-forwarded-for': '8.8.8.8, 203.0.113.78' })).toBe(200)
    expect((await site.root.call(users.get, { id: member.id })).last_login_ip).toBe('203.0.113.78')
  })

  function guessFrom(peer: string, forwarded: string): Promise<number> {
    return post(peer, 'wrong', { 'x-forwarded-for': forwarded })
  }

  async function post(ip: string, password: string, headers: Record<string, string>): Promise<number> {
    const body = { username: member.username, password }
    return (await site.send('POST', '/api/v1/user/login', { ip, headers, body })).status
  }

  function nextAddress(): string {
    addresses += 1
    return `198.51.${addresses >> 8}.${addresses & 255}`
  }
})
