import { expect, test } from 'vitest'
import type { Settings } from '#shared/settings.ts'
import { isAllowedPort, isAllowedPrivateHost } from './private-hosts.ts'

const settings = {
  spider: { private_hosts: ['192.168.1.5', ' Wiki.LAN:8080 ', '[fd00::1]:9000', 'fd00::2', '内网.lan', 'a b', ''] },
} as unknown as Settings

test.each([
  ['http://192.168.1.5/', true],
  ['https://192.168.1.5:8443/', true],
  ['http://192.168.1.6/', false],
  ['http://wiki.lan:8080/', true],
  ['http://wiki.lan/', false],
  ['http://sub.wiki.lan:8080/', false],
  ['http://[fd00::1]:9000/', true],
  ['http://[fd00::0:2]/', true],
  ['http://内网.lan/', true],
  ['http://127.0.0.1/', false],
])('%s may be private: %s', (address, isAllowed) => {
  expect(isAllowedPrivateHost(settings, new URL(address))).toBe(isAllowed)
})

test.each<[string, number | undefined, boolean]>([
  ['http://a.test/', undefined, true],
  ['https://a.test:80/', undefined, true],
  ['http://a.test:443/', undefined, true],
  ['http://a.test:8080/', undefined, false],
  ['http://a.test:8080/', 8080, true],
  ['http://a.test:22/', 8080, false],
  ['http://wiki.lan:8080/', undefined, true],
  ['http://wiki.lan:8081/', undefined, false],
  ['http://192.168.1.5:22/', undefined, false],
])('the port of %s, from a source on %s, may be dialled: %s', (address, port, isAllowed) => {
  expect(isAllowedPort(settings, new URL(address), port)).toBe(isAllowed)
})
