import { openGrants, type RegisteredApp } from './grants.ts'
import { json, type Vendor } from './vendor.ts'

/** GitHub: refusals with status 200, a user agent and a bearer token required; the API stands at another address. */
export function githubVendor(app: RegisteredApp): Vendor {
  const grants = openGrants(app)
  return {
    app,
    grants,
    authorizePath: '/login/oauth/authorize',
    handle({ path, form, headers, person, lie }) {
      if (path === '/login/oauth/access_token') {
        const redeemed = grants.redeem({
          clientId: form.get('client_id'),
          secret: form.get('client_secret'),
          code: form.get('code'),
          redirectUri: form.get('redirect_uri'),
          codeVerifier: form.get('code_verifier'),
        })
        const isStale = 'problem' in redeemed && ['code', 'used'].includes(redeemed.problem)
        if ('problem' in redeemed)
          return json({ error: isStale ? 'bad_verification_code' : 'incorrect_client_credentials' })
        if (headers.get('accept') !== 'application/json')
          return { body: `access_token=${redeemed.accessToken}`, type: 'application/x-www-form-urlencoded' }
        return json({ access_token: redeemed.accessToken, scope: 'read:user,user:email', token_type: 'bearer' })
      }
      const token = /^Bearer (\w+)$/.exec(headers.get('authorization') ?? '')?.[1] ?? ''
      if (!headers.get('user-agent')) return json({ message: 'Request forbidden' }, undefined, 403)
      if (!grants.isValid(token)) return json({ message: 'Bad credentials' }, undefined, 401)
      if (path === '/api/user/emails')
        return json([
          { email: 'other@example.com', primary: false, verified: true },
          { email: person.email, primary: true, verified: lie !== 'unverified-email' },
        ])
      if (path !== '/api/user') return undefined
      const id = lie === 'no-openid' ? undefined : Number(person.id)
      return json({ id, login: `login-${person.id}`, name: person.name, avatar_url: '', email: null })
    },
  }
}

export function giteeVendor(app: RegisteredApp): Vendor {
  const grants = openGrants(app)
  return {
    app,
    grants,
    authorizePath: '/oauth/authorize',
    handle({ path, query, form, person, lie }) {
      if (path === '/oauth/token') {
        if (form.get('grant_type') !== 'authorization_code') return json({ error: 'unsupported' }, undefined, 400)
        const redeemed = grants.redeem({
          clientId: form.get('client_id'),
          secret: form.get('client_secret'),
          code: form.get('code'),
          redirectUri: form.get('redirect_uri'),
          codeVerifier: form.get('code_verifier'),
        })
        if ('problem' in redeemed) {
          const error = ['app', 'secret'].includes(redeemed.problem) ? 'invalid_client' : 'invalid_grant'
          return json({ error, error_description: 'refused' }, undefined, 401)
        }
        return json({ access_token: redeemed.accessToken, token_type: 'bearer', expires_in: 86_400 })
      }
      if (!grants.isValid(query.get('access_token') ?? '')) return json({ message: '401 Unauthorized' }, undefined, 401)
      if (path === '/api/v5/emails') {
        const state = lie === 'unverified-email' ? 'unconfirmed' : 'confirmed'
        return json([{ email: person.email, state, scope: ['primary', 'notified'] }])
      }
      if (path !== '/api/v5/user') return undefined
      const id = lie === 'no-openid' ? undefined : Number(person.id)
      return json({ id, login: `gitee-${person.id}`, name: person.name, avatar_url: '', email: '未公开邮箱' })
    },
  }
}
