import { type WeChatApp, WeChatError } from '../wechat/api.ts'
import { authorizeUrl, exchangeBrowserCode, fetchBrowserProfile } from '../wechat/openid.ts'
import { OauthError, type OauthProvider } from './oauth-provider.ts'

interface WeChatSettings extends WeChatApp {
  /** Where the browser is sent, if not to WeChat's own address. */
  openGateway: string
  /** A site shows a QR code; a service account asks in the browser inside WeChat. */
  kind: 'site' | 'profile'
}

export function wechat({ openGateway, kind, ...app }: WeChatSettings): OauthProvider {
  return {
    authorizeUrl: async ({ redirectUri, state }) =>
      authorizeUrl({ appId: app.appId, gateway: openGateway }, { returnUrl: redirectUri, state, kind }),
    async identify({ code }) {
      try {
        const person = await exchangeBrowserCode(app, code)
        const profile = await fetchBrowserProfile(app, person)
        return {
          openid: person.openid,
          unionid: person.unionid || profile.unionid,
          issuer: '',
          name: profile.nickname,
          avatar: profile.headimgurl,
          email: '',
        }
      } catch (error) {
        throw error instanceof WeChatError ? toOauthError(error) : error
      }
    },
  }
}

export function toOauthError(error: WeChatError): OauthError {
  return new OauthError(error.isStale ? 'stale' : 'failed', error.message, error)
}
