import { expect } from 'vitest'
import type { OauthType } from '#shared/enums.ts'
import type { ResponseSnapshot, Site } from '../site.ts'

/** A browser at the site: it keeps its cookies, and the token if a member is logged in. */
export interface TestBrowser {
  token: string
  /** Follows the link of a button: the address at the provider. */
  begin(type: OauthType, redirect?: string): Promise<string>
  /** Begins to bind an account, logged in. */
  beginBinding(type: OauthType, redirect?: string): Promise<string>
  post(path: string, body: object): Promise<ResponseSnapshot>
  /** The callback page's call. */
  finish(type: OauthType, callback: URLSearchParams): Promise<ResponseSnapshot>
}

export function openBrowser(
  site: Site,
  options: { token?: string; ip?: string; userAgent?: string } = {},
): TestBrowser {
  const cookies = new Map<string, string>()
  const { ip = '127.0.0.1', userAgent = 'Firefox' } = options
  const keep = (headers: Headers) => {
    for (const cookie of headers.getSetCookie()) {
      expect(cookie).toMatch(/HttpOnly; SameSite=Lax/)
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(key, value)
    }
  }
  const headers = () => ({
    cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
    'user-agent': userAgent,
  })
  const browser: TestBrowser = {
    token: options.token ?? '',
    async begin(type, redirect = '') {
      const query = new URLSearchParams({ type, redirect })
      const response = await site.request(`/api/v1/oauth/authorize?${query}`, { ip, headers: headers() })
      expect(response.status).toBe(302)
      keep(response.headers)
      return response.headers.get('location') ?? ''
    },
    async beginBinding(type, redirect = '') {
      const { status, json } = await browser.post('/oauth/authorize', { type, redirect })
      expect(status, JSON.stringify(json)).toBe(200)
      return String(json.authorize_url)
    },
    async post(path, body) {
      const { token } = browser
      const response = await site.send('POST', `/api/v1${path}`, {
        ip,
        headers: headers(),
        body,
        ...(token && { token }),
      })
      keep(response.headers)
      return response
    },
    finish: (type, callback) => browser.post('/oauth/login', { type, ...Object.fromEntries(callback) }),
  }
  return browser
}
