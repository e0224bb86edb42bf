import { createCipheriv } from 'node:crypto'
import { openGrants, type RegisteredApp } from './grants.ts'
import { json, type Vendor, type VendorPerson } from './vendor.ts'

const errcodes = { app: 40_013, secret: 40_125, code: 40_029, used: 40_163, redirect: 40_029, verifier: 40_029 }

/** WeChat: errors with status 200, JSON called text/plain, no address asked for again. */
export function wechatVendor(app: RegisteredApp, kind: 'site' | 'account'): Vendor {
  const grants = openGrants(app)
  const openidOf = (person: VendorPerson) => `o-${kind}-${person.id}`
  const text = (body: object) => json(body, 'text/plain')
  return {
    app,
    grants,
    clientIdName: 'appid',
    authorizePath: kind === 'site' ? '/connect/qrconnect' : '/connect/oauth2/authorize',
    handle({ path, query, person, lie }) {
      if (path === '/sns/oauth2/access_token') {
        if (query.get('grant_type') !== 'authorization_code') return text({ errcode: 40_002, errmsg: 'grant_type' })
        const clientId = query.get('appid')
        const redeemed = grants.redeem({ clientId, secret: query.get('secret'), code: query.get('code') })
        if ('problem' in redeemed) return text({ errcode: errcodes[redeemed.problem], errmsg: 'refused' })
        const openid = lie === 'no-openid' ? undefined : openidOf(person)
        return text({ access_token: redeemed.accessToken, expires_in: 7200, openid, unionid: person.unionid })
      }
      if (path === '/sns/userinfo') {
        if (!grants.isValid(query.get('access_token') ?? '')) return text({ errcode: 40_001, errmsg: 'token' })
        if (query.get('openid') !== openidOf(person)) return text({ errcode: 40_003, errmsg: 'openid' })
        const openid = lie === 'other-person' ? 'o-another' : openidOf(person)
        return text({
          openid,
          nickname: person.name,
          headimgurl: 'https://thirdwx.example/1.png',
          unionid: person.unionid,
        })
      }
      return undefined
    },
  }
}

/** QQ: errors and `me` as a callback unless JSON is asked for, `ret` in the profile. */
export function qqVendor(app: RegisteredApp): Vendor {
  const grants = openGrants(app)
  const answer = (query: URLSearchParams, body: object) =>
    query.get('fmt') === 'json' ? json(body) : { body: `callback( ${JSON.stringify(body)} );`, type: 'text/html' }
  const codes = { app: 100_008, secret: 100_009, code: 100_020, used: 100_019, redirect: 100_010, verifier: 100_020 }
  return {
    app,
    grants,
    authorizePath: '/oauth2.0/authorize',
    handle({ path, query, person, lie }) {
      if (path === '/oauth2.0/token') {
        const redeemed = grants.redeem({
          clientId: query.get('client_id'),
          secret: query.get('client_secret'),
          code: query.get('code'),
          redirectUri: query.get('redirect_uri'),
        })
        // Refusals come as a callback whatever was asked for.
        if ('problem' in redeemed)
          return {
            body: `callback( {"error":${codes[redeemed.problem]},"error_description":"refused"} );`,
            type: 'text/html',
          }
        return { body: `access_token=${redeemed.accessToken}&expires_in=7776000&refresh_token=r`, type: 'text/html' }
      }
      if (path === '/oauth2.0/me') {
        if (!grants.isValid(query.get('access_token') ?? '')) return answer(query, { error: 100_016 })
        const openid = lie === 'no-openid' ? '' : `QQ${person.id}`
        return answer(query, { client_id: lie === 'other-app' ? '999' : app.clientId, openid, unionid: '' })
      }
      if (path === '/user/get_user_info') {
        if (query.get('oauth_consumer_key') !== app.clientId || query.get('openid') !== `QQ${person.id}`)
          return json({ ret: -1, msg: 'client request parameters invalid' })
        return json({ ret: 0, nickname: person.name, figureurl_qq_1: 'http://qq.example/1', figureurl_qq_2: '' })
      }
      return undefined
    },
  }
}

export function weiboVendor(app: RegisteredApp): Vendor {
  const grants = openGrants(app)
  const codes = { app: 21_324, secret: 21_324, code: 21_325, used: 21_325, redirect: 21_322, verifier: 21_325 }
  return {
    app,
    grants,
    authorizePath: '/oauth2/authorize',
    handle({ path, query, form, person, lie }) {
      if (path === '/oauth2/access_token') {
        const redeemed = grants.redeem({
          clientId: form.get('client_id'),
          secret: form.get('client_secret'),
          code: form.get('code'),
          redirectUri: form.get('redirect_uri'),
        })
        if ('problem' in redeemed)
          return json({ error: 'invalid_grant', error_code: codes[redeemed.problem] }, 'text/plain', 400)
        const uid = lie === 'no-openid' ? undefined : person.id
        return json({ access_token: redeemed.accessToken, expires_in: 157_679_999, uid }, 'text/plain')
      }
      if (path === '/2/users/show.json') {
        if (!grants.isValid(query.get('access_token') ?? '')) return json({ error: 'token', error_code: 21_332 })
        const idstr = lie === 'other-person' ? '1' : person.id
        return json({ id: Number(person.id), idstr, screen_name: person.name, avatar_large: '' })
      }
      return undefined
    },
  }
}

/** The mini program: codes that WeChat gives it, encrypted profiles, tokens, pictures and phone numbers. */
export interface MiniProgramVendor extends Vendor {
  /** A login code for a person. */
  giveCode(person: VendorPerson): string
  encryptProfile(person: VendorPerson, watermark?: string): { iv: string; encrypted_data: string }
  /** The scenes of the pictures that were asked for. */
  scenes: string[]
  /** The token in use is not valid any more. */
  revokeToken(): void
}

/** One pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
const sessionKey = Buffer.alloc(16, 7)

export function miniProgramVendor(app: RegisteredApp): MiniProgramVendor {
  const people = new Map<string, { person: VendorPerson; isUsed: boolean }>()
  const scenes: string[] = []
  let token = 1
  let isRevoked = false
  const isValid = (query: URLSearchParams) => !isRevoked && query.get('access_token') === `token-${token}`
  const text = (body: object) => json(body, 'text/plain')
  return {
    app,
    grants: openGrants(app),
    authorizePath: '/none',
    scenes,
    revokeToken() {
      isRevoked = true
    },
    giveCode(person) {
      const code = `mp-${people.size}-${person.id}`
      people.set(code, { person, isUsed: false })
      return code
    },
    encryptProfile(person, watermark = app.clientId) {
      const iv = Buffer.alloc(16, 3)
      const cipher = createCipheriv('aes-128-cbc', sessionKey, iv)
      const profile = { openId: `o-mp-${person.id}`, nickName: person.name, unionId: person.unionid }
      const plain = JSON.stringify({ ...profile, watermark: { timestamp: 1, appid: watermark } })
      const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
      return { iv: iv.toString('base64'), encrypted_data: encrypted.toString('base64') }
    },
    handle({ path, query, json: body, lie }) {
      if (path === '/sns/jscode2session') {
        if (query.get('appid') !== app.clientId) return text({ errcode: 40_013, errmsg: 'invalid appid' })
        if (query.get('secret') !== app.secret) return text({ errcode: 40_125, errmsg: 'invalid appsecret' })
        const code = people.get(query.get('js_code') ?? '')
        if (!code) return text({ errcode: 40_029, errmsg: 'invalid code' })
        if (code.isUsed) return text({ errcode: 40_163, errmsg: 'code been used' })
        code.isUsed = true
        const { id, unionid } = code.person
        const openid = lie === 'no-openid' ? undefined : `o-mp-${id}`
        return text({ session_key: sessionKey.toString('base64'), openid, ...(unionid && { unionid }) })
      }
      if (path === '/cgi-bin/stable_token') {
        if (body.appid !== app.clientId || body.secret !== app.secret) return json({ errcode: 40_125 })
        if (body.force_refresh === true) {
          token += 1
          isRevoked = false
        }
        return json({ access_token: `token-${token}`, expires_in: 7200 })
      }
      if (path === '/wxa/getwxacodeunlimit') {
        if (!isValid(query)) return json({ errcode: 40_001, errmsg: 'invalid credential' })
        const scene = String(body.scene)
        if (!/^[\w!#$&'()*+,/:;=?@.~-]{1,32}$/.test(scene)) return json({ errcode: 40_169, errmsg: 'invalid scene' })
        if (String(body.page).startsWith('/')) return json({ errcode: 41_030, errmsg: 'invalid page' })
        scenes.push(scene)
        return { body: picture, type: 'image/png' }
      }
      if (path === '/wxa/business/getuserphonenumber') {
        if (!isValid(query)) return json({ errcode: 42_001, errmsg: 'access_token expired' })
        const [, countryCode = '86', number = ''] = /^phone-(\d+)-(\d+)$/.exec(String(body.code)) ?? []
        if (!number) return json({ errcode: 40_029, errmsg: 'invalid code' })
        const watermark = { timestamp: 1, appid: lie === 'other-app' ? 'wxother' : app.clientId }
        const phone_info = { phoneNumber: number, purePhoneNumber: number, countryCode, watermark }
        return json({ errcode: 0, errmsg: 'ok', phone_info })
      }
      return undefined
    },
  }
}
