import * as oauth from 'oauth4webapi'
import { OutboundError } from '../outbound/outbound-error.ts'
import { requestOutside } from '../outbound/request.ts'
import { type Callback, type OauthApp, OauthError, type OauthProvider } from './oauth-provider.ts'

interface OidcSettings extends OauthApp {
  issuer: string
  scopes: string
  /** The owner has said that the issuer is in a private network, where plain HTTP is allowed too. */
  allowsPrivate: boolean
}

/** Seconds that the clocks of two servers may differ. */
const tolerance = 60

/**
 * Any issuer of OpenID Connect, by its discovery document, which is read anew for each log-in: keys that the issuer has
 * replaced are never used. The library checks state, issuer, audience, times, nonce and the signature of the ID token.
 */
export function oidc({ issuer, clientId, secret, scopes, allowsPrivate }: OidcSettings): OauthProvider {
  const http = { [oauth.customFetch]: fetchOutside(allowsPrivate), [oauth.allowInsecureRequests]: allowsPrivate }
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: tolerance }

  const discover = async () => {
    const url = URL.parse(issuer.trim())
    if (!url) throw new OauthError('failed', 'Issuer 不是网址')
    return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, { algorithm: 'oidc', ...http }))
  }

  return {
    authorizeUrl: ({ redirectUri, state, nonce, codeVerifier }) =>
      translate(async () => {
        const { authorization_endpoint } = await discover()
        const url = URL.parse(authorization_endpoint ?? '')
        if (!url || !/^https?:$/.test(url.protocol)) throw new OauthError('failed', '对方没有登录地址')
        const parameters = {
          client_id: clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: withOpenid(scopes),
          state,
          nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
        return url.href
      }),
    identify: (callback) =>
      translate(async () => {
        const server = await discover()
        const tokens = await exchange(server, callback)
        const claims = oauth.getValidatedIdTokenClaims(tokens)
        if (!claims) throw new OauthError('failed', '对方没有给出 ID Token')
        const about = server.userinfo_endpoint ? await fetchUserInfo(server, tokens.access_token, claims.sub) : claims
        return {
          openid: claims.sub,
          unionid: '',
          issuer: server.issuer,
          name: firstText(about.name, about.preferred_username, claims.name),
          avatar: firstText(about.picture, claims.picture),
          email: about.email_verified === true ? firstText(about.email) : '',
        }
      }),
  }

  async function exchange(server: oauth.AuthorizationServer, callback: Callback) {
    const { code, state, iss, redirectUri, nonce, codeVerifier } = callback
    const query = new URLSearchParams({ code, state, ...(iss && { iss }) })
    const parameters = oauth.validateAuthResponse(server, client, query, state)
    const authentication = authenticate(server, secret)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      codeVerifier,
      http,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, response, http)
    return tokens
  }

  async function fetchUserInfo(server: oauth.AuthorizationServer, accessToken: string, subject: string) {
    const response = await oauth.userInfoRequest(server, client, accessToken, http)
    return oauth.processUserInfoResponse(server, client, subject, response)
  }
}

function authenticate(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: oauth.AuthorizationServer,
  secret: string,
): oauth.ClientAuth {
  return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

function withOpenid(scopes: string): string {
  return [...new Set(['openid', ...scopes.split(/[\s,，]+/).filter(Boolean)])].join(' ')
}

function firstText(...values: unknown[]): string {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? ''
}

/** The library's own errors, and answers that are none. */
async function translate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OauthError) throw error
    if (error instanceof oauth.ResponseBodyError)
      throw new OauthError(error.error === 'invalid_grant' ? 'stale' : 'failed', `对方拒绝了：${error.error}`, error)
    const outbound = findOutboundError(error)
    if (outbound) throw new OauthError('failed', outbound.message, error)
    if (error instanceof Error) throw new OauthError('failed', `对方的回答不可信：${error.message}`, error)
    throw error
  }
}

function findOutboundError(error: unknown): OutboundError | undefined {
  if (error instanceof OutboundError) return error
  return error instanceof Error && error.cause instanceof OutboundError ? error.cause : undefined
}

function fetchOutside(allowsPrivate: boolean) {
  return async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, unknown>,
  ): Promise<Response> => {
    const answer = await requestOutside(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      allowsPrivate,
    })
    const type = answer.headers['content-type']
    return new Response(new Uint8Array(answer.body), {
      status: answer.status,
      headers: type === undefined ? {} : { 'content-type': type },
    })
  }
}
