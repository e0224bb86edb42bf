import * as z from 'zod/mini'
import { accessToken, ask, assertAccepted, openid, optionalText, readAnswer, toGateway } from './ask.ts'
import { type OauthApp, OauthError, type OauthProvider } from './oauth-provider.ts'

/** `uid` and `idstr` are text: the number beside them may be too large for a double. */
const Token = z.object({ access_token: accessToken, uid: openid })
const Profile = z.object({ idstr: openid, screen_name: optionalText, avatar_large: optionalText })

/** `invalid_grant`: the code is wrong, too old or was used. */
const staleCode = 21_325

export function weibo(app: OauthApp, gatewaySetting: string): OauthProvider {
  const gateway = toGateway(gatewaySetting, 'https://api.weibo.com')
  const client = { client_id: app.clientId }
  const isStale = (_error: string, code: number) => code === staleCode
  return {
    async authorizeUrl({ redirectUri, state }) {
      const query = { ...client, response_type: 'code', redirect_uri: redirectUri, state }
      return `${gateway.base}/oauth2/authorize?${new URLSearchParams(query)}`
    },
    async identify({ code, redirectUri }) {
      const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
      const answer = await ask(gateway, '/oauth2/access_token', {
        form: { ...client, client_secret: app.secret, ...grant },
      })
      assertAccepted(answer, isStale)
      const { access_token, uid } = readAnswer(Token, answer)
      const about = await ask(gateway, '/2/users/show.json', { query: { access_token, uid } })
      assertAccepted(about, isStale)
      const profile = readAnswer(Profile, about)
      if (profile.idstr !== uid) throw new OauthError('failed', '微博：回答的是另一个人')
      return {
        openid: uid,
        unionid: '',
        issuer: '',
        name: profile.screen_name,
        avatar: profile.avatar_large,
        email: '',
      }
    },
  }
}
