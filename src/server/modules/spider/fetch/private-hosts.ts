import type { Settings } from '#shared/settings.ts'

interface PrivateHost {
  hostname: string
  /** Empty for any port that may be dialled. */
  port: string
}

/** Whether the owner has named the host of this address among those that may be in a private network. */
export function isAllowedPrivateHost({ spider }: Settings, url: URL): boolean {
  return findHosts(spider.private_hosts, url).some(({ port }) => port === '' || port === url.port)
}

/** The usual ports, that of the source itself, and those that the owner has named with a private host. */
export function isAllowedPort({ spider }: Settings, url: URL, ownPort: number | undefined): boolean {
  if (['', '80', '443', String(ownPort)].includes(url.port)) return true
  return findHosts(spider.private_hosts, url).some(({ port }) => port === url.port)
}

function findHosts(entries: readonly string[], url: URL): PrivateHost[] {
  return entries.map(parseHost).filter((host) => host?.hostname === url.hostname) as PrivateHost[]
}

/** `host` or `host:port`, in the spelling of addresses. */
function parseHost(entry: string): PrivateHost | undefined {
  const text = entry.trim()
  // A bare IPv6 address.
  return URL.parse(`http://${text}`) ?? URL.parse(`http://[${text}]`) ?? undefined
}
