import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** A real OpenID provider. Its log-in is a form that takes any name: the account has that name and its own address. */
export interface OidcServer {
  issuer: string
  settings: Record<string, string>
  /** As a browser does in which `name` logs in and agrees: the query of the callback. */
  visit(authorizeUrl: string, name: string): Promise<URLSearchParams>
  close(): Promise<void>
}

const client = { clientId: 'wendou', secret: 'secret-of-the-oidc-client' }

export async function startOidcServer(domain: string, type: 'oidc' | 'google' = 'oidc'): Promise<OidcServer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirectUri = `${domain}/oauth/${type}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key for the tests'] },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, name: `${id} at OIDC`, email: `${id}@example.com`, email_verified: true }),
    }),
  })
  server.on('request', provider.callback())
  const address: Record<string, string> =
    type === 'oidc'
      ? { 'oauth.oidc_issuer': issuer, 'oauth.oidc_allow_private': 'true' }
      : { 'oauth.google_gateway': issuer }
  return {
    issuer,
    settings: {
      'system.domain': domain,
      [`oauth.enable_${type}`]: 'true',
      [`oauth.${type}_client_id`]: client.clientId,
      [`oauth.${type}_secret`]: client.secret,
      ...address,
    },
    visit: (authorizeUrl, name) => walk(authorizeUrl, name, redirectUri),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Follows redirects and fills in forms until the browser would leave for the callback. */
async function walk(start: string, name: string, redirectUri: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  let url = start
  let form: URLSearchParams | undefined
  for (let steps = 0; steps < 12; steps += 1) {
    if (url.startsWith(redirectUri)) return new URL(url).searchParams
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(form && { body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(key, value)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location) {
      url = new URL(location, url).href
      form = undefined
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (!prompt) throw new Error(`the provider shows ${response.status} ${page.slice(0, 200)}`)
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: name, password: 'any' }) })
  }
  throw new Error('the provider never sent the browser back')
}
