import { calculatePKCECodeChallenge } from 'oauth4webapi'
import * as z from 'zod/mini'
import { accessToken, ask, assertAccepted, openid, optionalText, orElse, readAnswer, toGateway } from './ask.ts'
import type { OauthApp, OauthProvider } from './oauth-provider.ts'

const Token = z.object({ access_token: accessToken })
const Profile = z.object({ id: openid, login: optionalText, name: optionalText, avatar_url: optionalText })
const Emails = orElse(z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })), [])

export function github(app: OauthApp, settings: { gateway: string; apiGateway: string }): OauthProvider {
  const gateway = toGateway(settings.gateway, 'https://github.com')
  const api = toGateway(settings.apiGateway, 'https://api.github.com')
  const client = { client_id: app.clientId }
  return {
    async authorizeUrl({ redirectUri, state, codeVerifier }) {
      const query = new URLSearchParams({
        ...client,
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return `${gateway.base}/login/oauth/authorize?${query}`
    },
    async identify({ code, redirectUri, codeVerifier }) {
      const grant = { code, redirect_uri: redirectUri, code_verifier: codeVerifier }
      const answer = await ask(gateway, '/login/oauth/access_token', {
        form: { ...client, client_secret: app.secret, ...grant },
      })
      assertAccepted(answer, (error) => error === 'bad_verification_code')
      const { access_token } = readAnswer(Token, answer)
      const headers = { authorization: `Bearer ${access_token}`, accept: 'application/vnd.github+json' }
      const profile = readAnswer(Profile, await ask(api, '/user', { headers }))
      const emails = readAnswer(Emails, await ask(api, '/user/emails', { headers }))
      return {
        openid: profile.id,
        unionid: '',
        issuer: '',
        name: profile.name || profile.login,
        avatar: profile.avatar_url,
        email: emails.find(({ primary, verified }) => primary && verified)?.email ?? '',
      }
    },
  }
}
