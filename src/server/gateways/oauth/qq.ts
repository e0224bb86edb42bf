import * as z from 'zod/mini'
import { accessToken, ask, openid, optionalText, orElse, readAnswer, toGateway } from './ask.ts'
import { type OauthApp, OauthError, type OauthProvider } from './oauth-provider.ts'

const Token = z.object({ access_token: accessToken })
const Me = z.object({ client_id: z.string(), openid, unionid: optionalText })
const Profile = z.object({
  ret: orElse(z.number(), 0),
  nickname: optionalText,
  figureurl_qq_1: optionalText,
  figureurl_qq_2: optionalText,
})

/** `code is reused error`, `code is expired` and their like. */
const staleCodes = new Set([100_019, 100_020])

export function qq(app: OauthApp, gatewaySetting: string): OauthProvider {
  const gateway = toGateway(gatewaySetting, 'https://graph.qq.com')
  const client = { client_id: app.clientId }
  return {
    async authorizeUrl({ redirectUri, state }) {
      const scope = 'get_user_info'
      const query = { response_type: 'code', ...client, redirect_uri: redirectUri, state, scope }
      return `${gateway.base}/oauth2.0/authorize?${new URLSearchParams(query)}`
    },
    async identify({ code, redirectUri }) {
      const query = { ...client, client_secret: app.secret, code, redirect_uri: redirectUri, fmt: 'json' }
      const answer = await ask(gateway, '/oauth2.0/token', { query: { grant_type: 'authorization_code', ...query } })
      assertAccepted(answer)
      const { access_token } = readAnswer(Token, answer)
      const about = await ask(gateway, '/oauth2.0/me', { query: { access_token, unionid: '1', fmt: 'json' } })
      assertAccepted(about)
      const me = readAnswer(Me, about)
      if (me.client_id !== app.clientId) throw new OauthError('failed', 'QQ：令牌属于另一个应用')
      const { openid: id, unionid } = me
      const asked = { access_token, oauth_consumer_key: app.clientId, openid: id }
      const profile = readAnswer(Profile, await ask(gateway, '/user/get_user_info', { query: asked }))
      if (profile.ret !== 0) throw new OauthError('failed', `QQ：没有给出资料（${profile.ret}）`)
      const avatar = (profile.figureurl_qq_2 || profile.figureurl_qq_1).replace(/^http:/, 'https:')
      return { openid: id, unionid, issuer: '', name: profile.nickname, avatar, email: '' }
    },
  }
}

const Refusal = z.object({ error: z.coerce.number().check(z.refine((code) => code !== 0)) })

function assertAccepted(answer: unknown): void {
  const { success, data } = z.safeParse(Refusal, answer)
  if (success) throw new OauthError(staleCodes.has(data.error) ? 'stale' : 'failed', `QQ：拒绝了（${data.error}）`)
}
