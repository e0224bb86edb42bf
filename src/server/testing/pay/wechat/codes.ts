import { randomBytes } from 'node:crypto'

/** An app of the merchant that people log in to: a service account or a mini program. */
export interface SimulatedApp {
  appId: string
  secret: string
}

export interface LoginCodes {
  /** A code that WeChat gives a person for an app; good once. */
  give(appId: string): string
  /** Whom it belongs to, or WeChat's refusal. */
  exchange(query: URLSearchParams, parameter: 'code' | 'js_code'): object
  /** Whether it is another app that knows somebody by this name. */
  isOfOtherApp(openid: string, appId: string): boolean
}

export function openLoginCodes(apps: readonly SimulatedApp[]): LoginCodes {
  const codes = new Map<string, { appId: string; isUsed: boolean }>()
  /** There is one person, whom every app knows by another name. */
  const openidOf = (appId: string) => `oPERSON-${appId}`
  return {
    give(appId) {
      const code = randomBytes(16).toString('hex')
      codes.set(code, { appId, isUsed: false })
      return code
    },
    exchange(query, parameter) {
      const app = apps.find(({ appId }) => appId === query.get('appid'))
      if (!app) return { errcode: 40_013, errmsg: 'invalid appid' }
      if (app.secret !== query.get('secret')) return { errcode: 40_125, errmsg: 'invalid appsecret' }
      if (query.get('grant_type') !== 'authorization_code') return { errcode: 40_002, errmsg: 'invalid grant_type' }
      const code = codes.get(query.get(parameter) ?? '')
      if (code?.appId !== app.appId) return { errcode: 40_029, errmsg: 'invalid code' }
      if (code.isUsed) return { errcode: 40_163, errmsg: 'code been used' }
      code.isUsed = true
      const openid = openidOf(app.appId)
      return parameter === 'code'
        ? { access_token: 'ACCESS', expires_in: 7200, refresh_token: 'REFRESH', openid, scope: 'snsapi_base' }
        : { session_key: 'tiihtNczf5v6AKRyjwEUhQ==', openid }
    },
    isOfOtherApp: (openid, appId) => apps.some((app) => app.appId !== appId && openidOf(app.appId) === openid),
  }
}
