import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'

/** What the ID token of a dishonest, or broken, issuer is like. */
export type IssuerLie =
  | 'honest'
  | 'unsigned'
  | 'other key'
  | 'wrong issuer'
  | 'wrong audience'
  | 'wrong nonce'
  | 'expired'
  | 'no subject'
  | 'other subject'
  | 'wrong discovery'

export interface LyingIssuer {
  issuer: string
  settings: Record<string, string>
  lie: IssuerLie
  visit(authorizeUrl: string): Promise<URLSearchParams>
  close(): Promise<void>
}

export async function startLyingIssuer(domain: string): Promise<LyingIssuer> {
  const own = await generateKeyPair('RS256')
  const other = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' }
  let nonce = ''

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    void (async () => {
      const body = JSON.stringify(await answer(pathname))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(body)
    })()
  })

  async function answer(path: string): Promise<object> {
    if (path === '/.well-known/openid-configuration')
      return {
        issuer: lying.lie === 'wrong discovery' ? 'https://another.example' : lying.issuer,
        authorization_endpoint: `${lying.issuer}/authorize`,
        token_endpoint: `${lying.issuer}/token`,
        userinfo_endpoint: `${lying.issuer}/userinfo`,
        jwks_uri: `${lying.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none'],
      }
    if (path === '/jwks') return { keys: [jwk] }
    if (path === '/userinfo') return { sub: lying.lie === 'other subject' ? 'mallory' : 'alice', name: 'Alice' }
    return { access_token: 'token', token_type: 'Bearer', expires_in: 60, id_token: await idToken() }
  }

  function idToken(): Promise<string> | string {
    const { lie } = lying
    const now = Math.floor(Date.now() / 1000)
    const claims = { nonce: lie === 'wrong nonce' ? 'another' : nonce, ...(lie !== 'no subject' && { sub: 'alice' }) }
    const times = lie === 'expired' ? { iat: now - 7200, exp: now - 3600 } : { iat: now, exp: now + 60 }
    const whole = {
      ...claims,
      ...times,
      iss: lie === 'wrong issuer' ? 'https://another.example' : lying.issuer,
      aud: lie === 'wrong audience' ? 'another-client' : 'wendou',
    }
    if (lie === 'unsigned') return new UnsecuredJWT(whole).encode()
    const key = lie === 'other key' ? other.privateKey : own.privateKey
    return new SignJWT(whole).setProtectedHeader({ alg: 'RS256', kid: 'own' }).sign(key)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lying: LyingIssuer = {
    issuer,
    lie: 'honest',
    settings: {
      'system.domain': domain,
      'oauth.enable_oidc': 'true',
      'oauth.oidc_client_id': 'wendou',
      'oauth.oidc_secret': 'secret-of-the-oidc-client',
      'oauth.oidc_issuer': issuer,
      'oauth.oidc_allow_private': 'true',
    },
    async visit(authorizeUrl) {
      const query = new URL(authorizeUrl).searchParams
      nonce = query.get('nonce') ?? ''
      return new URLSearchParams({ code: 'any', state: query.get('state') ?? '' })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return lying
}
