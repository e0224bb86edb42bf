import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { OauthType } from '#shared/enums.ts'
import type { RegisteredApp } from './grants.ts'
import type { Lie, Vendor, VendorPerson, VendorReply } from './vendor.ts'
import { type MiniProgramVendor, miniProgramVendor, qqVendor, wechatVendor, weiboVendor } from './vendors-china.ts'
import { giteeVendor, githubVendor } from './vendors-git.ts'

type VendorType = Exclude<OauthType, 'google' | 'oidc' | 'wechatmp'>

/** The vendors that have a protocol of their own, on one local server, each under its own path. */
export interface Vendors {
  url: string
  /** All settings that a site needs to use them. */
  settings: Record<string, string>
  miniProgram: MiniProgramVendor
  /** Who sits at the browser. */
  person: VendorPerson
  /** From now on, until it is unset. */
  lie: Lie | undefined
  /** What a vendor was asked, without its query. */
  requests: string[]
  /** As a browser does whose person agrees: the query of the callback. */
  visit(authorizeUrl: string): Promise<URLSearchParams>
  close(): Promise<void>
}

const secret = 'secret-of-the-app'

export async function startVendors(domain: string): Promise<Vendors> {
  const app = (type: VendorType, clientId: string): RegisteredApp => ({
    clientId,
    secret,
    redirectUri: `${domain}/oauth/${type}`,
  })
  const miniProgram = miniProgramVendor({ clientId: 'wxmini', secret, redirectUri: '' })
  const vendors: Record<VendorType | 'wechatmp', Vendor> = {
    wechat: wechatVendor(app('wechat', 'wxsite'), 'site'),
    wechatoa: wechatVendor(app('wechatoa', 'wxaccount'), 'account'),
    wechatmp: miniProgram,
    qq: qqVendor(app('qq', '101')),
    weibo: weiboVendor(app('weibo', '202')),
    github: githubVendor(app('github', 'gh-client')),
    gitee: giteeVendor(app('gitee', 'ge-client')),
  }
  const requests: string[] = []

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, type = '', rest = ''] = /^\/(\w+)(\/.*)$/.exec(url.pathname) ?? []
    void (async () => {
      const body = (await buffer(request)).toString()
      requests.push(`${type} ${rest}`)
      if (site.lie === 'down') {
        request.socket.destroy()
        return
      }
      const reply = answer(type, rest, url.searchParams, body, new Headers(request.headers as HeadersInit))
      response.writeHead(reply.status ?? 200, { 'content-type': reply.type ?? 'text/html', ...reply.headers })
      response.end(reply.body)
    })()
  })

  function answer(
    type: string,
    path: string,
    query: URLSearchParams,
    body: string,
    headers: Headers,
  ): VendorReply & { headers?: Record<string, string> } {
    // The two apps of WeChat share their addresses: the app's id tells them apart, or the token.
    const shared = [vendors.wechat, vendors.wechatoa]
    const tried = type === 'weixin' ? shared : Object.hasOwn(vendors, type) ? [vendors[type as VendorType]] : []
    for (const vendor of tried) {
      if (path === vendor.authorizePath) {
        const names = { clientId: vendor.clientIdName ?? 'client_id' }
        return { status: 302, body: '', headers: { location: vendor.grants.authorize(query, names) } }
      }
    }
    if (site.lie === 'not-json') return { body: '<html>busy</html>' }
    const vendor =
      tried.find(({ app: { clientId } }) => query.get('appid') === clientId) ??
      tried.find(({ grants }) => grants.isValid(query.get('access_token') ?? '')) ??
      tried[0]
    const request = {
      path,
      query,
      headers,
      form: new URLSearchParams(body),
      json: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {},
      person: site.person,
      lie: site.lie,
    }
    return vendor?.handle(request) ?? { status: 404, body: 'no such address' }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const site: Vendors = {
    url,
    miniProgram,
    requests,
    person: { id: '1001', name: '小文', email: 'wen@example.com', unionid: '' },
    lie: undefined,
    settings: {
      'system.domain': domain,
      'oauth.enable_wechat': 'true',
      'oauth.wechat_app_id': 'wxsite',
      'oauth.wechat_secret': secret,
      'oauth.enable_wechatoa': 'true',
      'oauth.wechatoa_app_id': 'wxaccount',
      'oauth.wechatoa_secret': secret,
      'oauth.wechat_gateway': `${url}/weixin`,
      'oauth.wechat_api_gateway': `${url}/weixin`,
      'oauth.enable_qq': 'true',
      'oauth.qq_app_id': '101',
      'oauth.qq_secret': secret,
      'oauth.qq_gateway': `${url}/qq`,
      'oauth.enable_weibo': 'true',
      'oauth.weibo_app_id': '202',
      'oauth.weibo_secret': secret,
      'oauth.weibo_gateway': `${url}/weibo`,
      'oauth.enable_github': 'true',
      'oauth.github_client_id': 'gh-client',
      'oauth.github_secret': secret,
      'oauth.github_gateway': `${url}/github`,
      'oauth.github_api_gateway': `${url}/github/api`,
      'oauth.enable_gitee': 'true',
      'oauth.gitee_client_id': 'ge-client',
      'oauth.gitee_secret': secret,
      'oauth.gitee_gateway': `${url}/gitee`,
      'miniprogram.enable_login': 'true',
      'miniprogram.enable_scan_login': 'true',
      'miniprogram.app_id': 'wxmini',
      'miniprogram.app_secret': secret,
      'miniprogram.gateway': `${url}/wechatmp`,
    },
    async visit(authorizeUrl) {
      const response = await fetch(authorizeUrl, { redirect: 'manual' })
      return new URL(response.headers.get('location') ?? '').searchParams
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return site
}
