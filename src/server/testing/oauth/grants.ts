import { createHash, randomBytes } from 'node:crypto'

/** An app that is registered with a vendor. */
export interface RegisteredApp {
  clientId: string
  secret: string
  redirectUri: string
}

type GrantProblem = 'app' | 'secret' | 'code' | 'used' | 'redirect' | 'verifier'

export interface Grants {
  /** A code for the app of an authorization request, and where the browser goes with it. */
  authorize(query: URLSearchParams, names?: { clientId: string }): string
  /** An access token for a code, or what the vendor would not accept. */
  redeem(form: Redemption): { accessToken: string } | { problem: GrantProblem }
  isValid(accessToken: string): boolean
}

export interface Redemption {
  clientId: string | null
  secret: string | null
  code: string | null
  /** Left out by vendors that do not ask for it again. */
  redirectUri?: string | null
  codeVerifier?: string | null
}

/** What every vendor checks: the app, its registered address, that a code is used once, and PKCE where it was begun with it. */
export function openGrants(app: RegisteredApp): Grants {
  const codes = new Map<string, { isUsed: boolean; challenge: string | null }>()
  const tokens = new Set<string>()
  return {
    authorize(query, { clientId } = { clientId: 'client_id' }) {
      const redirectUri = query.get('redirect_uri')
      const state = query.get('state')
      if (query.get(clientId) !== app.clientId) throw new Error('unknown app')
      if (redirectUri !== app.redirectUri) throw new Error('the redirect address is not the registered one')
      if (!state) throw new Error('no state')
      const code = randomBytes(16).toString('hex')
      codes.set(code, { isUsed: false, challenge: query.get('code_challenge') })
      return `${redirectUri}?${new URLSearchParams({ code, state })}`
    },
    redeem({ clientId, secret, code, redirectUri, codeVerifier }) {
      if (clientId !== app.clientId) return { problem: 'app' }
      if (secret !== app.secret) return { problem: 'secret' }
      const grant = codes.get(code ?? '')
      if (!grant) return { problem: 'code' }
      if (grant.isUsed) return { problem: 'used' }
      if (redirectUri !== undefined && redirectUri !== app.redirectUri) return { problem: 'redirect' }
      const challenge = createHash('sha256')
        .update(codeVerifier ?? '')
        .digest('base64url')
      if (grant.challenge !== null && grant.challenge !== challenge) return { problem: 'verifier' }
      grant.isUsed = true
      const accessToken = randomBytes(16).toString('hex')
      tokens.add(accessToken)
      return { accessToken }
    },
    isValid: (accessToken) => tokens.has(accessToken),
  }
}
