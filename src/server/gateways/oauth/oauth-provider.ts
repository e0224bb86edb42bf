/** A site that knows its users, and tells ours who came from there. */
export interface OauthProvider {
  /** Where the browser goes; it comes back to `redirectUri` with a code. */
  authorizeUrl(request: Authorization): Promise<string>
  /** Who came back. */
  identify(callback: Callback): Promise<Identity>
}

/** What one log-in is begun with, and compared with when the browser is back. */
export interface Authorization {
  redirectUri: string
  state: string
  /** Comes back in a signed ID token, where there is one. */
  nonce: string
  /** Of PKCE: only its hash is sent with the browser. */
  codeVerifier: string
}

export interface Callback extends Authorization {
  code: string
  /** The parameter `iss` of the redirect; empty if there was none. */
  iss: string
}

export interface Identity {
  /** The provider's name for the person, which never changes. */
  openid: string
  /** Where several apps of one owner share it; otherwise empty. */
  unionid: string
  /** Of a provider whose issuer is a setting: the same name from another issuer is another person. */
  issuer: string
  name: string
  avatar: string
  /** Empty unless the provider says that the person receives mail there. */
  email: string
}

type Problem =
  /** The code was used before, is too old, or was not meant for us: the visitor begins again. */
  | 'stale'
  /** The provider cannot be asked, or its answer cannot be trusted. */
  | 'failed'

/** The message is for the log of the owner. It never holds an address: secrets may stand in its query. */
export class OauthError extends Error {
  readonly problem: Problem

  constructor(problem: Problem, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OauthError'
    this.problem = problem
  }
}

/** An app that the owner has registered with a provider. */
export interface OauthApp {
  clientId: string
  secret: string
}
