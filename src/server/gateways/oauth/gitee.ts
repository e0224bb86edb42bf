import { calculatePKCECodeChallenge } from 'oauth4webapi'
import * as z from 'zod/mini'
import { accessToken, ask, assertAccepted, openid, optionalText, orElse, readAnswer, toGateway } from './ask.ts'
import type { OauthApp, OauthProvider } from './oauth-provider.ts'

const Token = z.object({ access_token: accessToken })
const Profile = z.object({ id: openid, login: optionalText, name: optionalText, avatar_url: optionalText })
const Emails = orElse(
  z.array(z.object({ email: z.string(), state: optionalText, scope: orElse(z.array(z.string()), []) })),
  [],
)

export function gitee(app: OauthApp, gatewaySetting: string): OauthProvider {
  const gateway = toGateway(gatewaySetting, 'https://gitee.com')
  const client = { client_id: app.clientId }
  return {
    async authorizeUrl({ redirectUri, state, codeVerifier }) {
      const query = new URLSearchParams({
        ...client,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'user_info emails',
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return `${gateway.base}/oauth/authorize?${query}`
    },
    async identify({ code, redirectUri, codeVerifier }) {
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
      const answer = await ask(gateway, '/oauth/token', { form: { ...client, client_secret: app.secret, ...grant } })
      assertAccepted(answer, (error) => error === 'invalid_grant')
      const { access_token } = readAnswer(Token, answer)
      const profile = readAnswer(Profile, await ask(gateway, '/api/v5/user', { query: { access_token } }))
      const emails = readAnswer(Emails, await ask(gateway, '/api/v5/emails', { query: { access_token } }))
      return {
        openid: profile.id,
        unionid: '',
        issuer: '',
        name: profile.name || profile.login,
        avatar: profile.avatar_url,
        // What stands in the profile instead may be the words "未公开邮箱".
        email: emails.find(({ state, scope }) => state === 'confirmed' && scope.includes('primary'))?.email ?? '',
      }
    },
  }
}
