import { beforeEach, expect, test } from 'vitest'
import { packCategories } from '#web/domain/packed-categories.ts'
import { createGuard } from '#web/domain/route-guard.ts'
import type { Site } from '#web/domain/site.ts'

const guest = { token: '', user: { id: 0 }, permissions: [], allowPages: [] }
const member = { token: 't', user: { id: 7 }, permissions: [], allowPages: [] }

function site(access: { is_close?: boolean; login_required?: boolean } = {}): Site {
  const security = { is_close: false, login_required: false, ...access }
  return {
    settings: { security } as Site['settings'],
    navigations: [],
    categories: packCategories([]),
    ads: [],
    hasAnnouncements: false,
    accent: { light: '', onLight: '', dark: '', onDark: '' },
    year: 2026,
  }
}

const at = (path: string) => {
  const { pathname, search } = new URL(path, 'https://own.invalid')
  return { pathname, search }
}

let session: typeof guest
let guard: ReturnType<typeof createGuard>

beforeEach(() => {
  session = guest
  guard = createGuard(() => session)
})

const check = (current: Site, path: string) => guard.check({ site: current, address: at(path), token: session.token })

/** Where a navigation ends. */
async function navigate(path: string): Promise<string> {
  const url = new URL(path, 'https://own.invalid')
  try {
    const args = { url, request: new Request(url), params: {}, pattern: '*', context: {} }
    await guard.middleware(args as Parameters<typeof guard.middleware>[0], async () => undefined)
    return path
  } catch (response) {
    return response instanceof Response ? (response.headers.get('location') ?? '') : String(response)
  }
}

test('before the site is known it counts as public', () => {
  expect(guard.site()).toBeUndefined()
  expect(guard.siteAccess()).toEqual({ is_close: false, login_required: false })
  expect(guard.findRedirect(at('/'))).toBeUndefined()
})

test('the first page is checked as it is', () => {
  expect(check(site(), '/me')).toEqual({ target: '/login?redirect=%2Fme', isSessionLost: false })
  expect(check(site(), '/')).toEqual({ isSessionLost: false })
})

test('a visitor who signs in on the login page is not sent to the own profile', () => {
  check(site(), '/login?redirect=%2Fupload')
  session = member
  expect(check(site(), '/login?redirect=%2Fupload')).toEqual({ isSessionLost: false })
})

test('a lost session leads from a member page to the login, and says so', () => {
  session = member
  check(site(), '/me')
  session = guest
  expect(check(site(), '/me')).toEqual({ target: '/login?redirect=%2Fme', isSessionLost: true })
  expect(check(site(), '/me').isSessionLost).toBe(false)
})

test('a lost session on a public page changes nothing', () => {
  session = member
  check(site(), '/')
  session = guest
  expect(check(site(), '/')).toEqual({ isSessionLost: false })
})

test.each(['/login?redirect=%2Fupload', '/user/7'])(
  'a member who came to log in with a session that the server rejects gets the login, also at %s',
  (path) => {
    session = member
    // While the page is hydrated, React still has the anonymous session of the server.
    const address = at('/login?redirect=%2Fupload')
    expect(guard.check({ site: site(), address, token: '' })).toEqual({ target: '/user/7', isSessionLost: false })
    check(site(), path)
    session = guest
    expect(check(site(), path)).toEqual({ target: '/login?redirect=%2Fupload', isSessionLost: true })
  },
)

test('a member who was sent on from the login and went elsewhere stays there when the session is lost', () => {
  session = member
  for (const path of ['/login', '/user/7', '/category/3', '/user/7']) check(site(), path)
  session = guest
  expect(check(site(), '/user/7')).toEqual({ isSessionLost: false })
})

test('a site that closes sends visitors to the login from the page they are on', () => {
  check(site(), '/')
  expect(check(site({ is_close: true }), '/')).toEqual({
    target: '/login?redirect=%2F',
    isSessionLost: false,
  })
})

test('members load the site again where anonymous visitors get a part of it', () => {
  check(site({ login_required: true }), '/')
  session = member
  expect(guard.isSitePartial()).toBe(true)
  guard.siteLoaded('t')
  expect(guard.isSitePartial()).toBe(false)
  check(site(), '/')
  guard.siteLoaded('')
  expect(guard.isSitePartial()).toBe(false)
})

test('navigations are redirected, and the login leads back to the page before it', async () => {
  check(site(), '/category/3')
  expect(await navigate('/article')).toBe('/article')
  expect(await navigate('/upload')).toBe('/login?redirect=%2Fupload')
  expect(await navigate('/login')).toBe('/login?redirect=%2Fcategory%2F3')
})

test('loading the current page again is no navigation', async () => {
  session = member
  check(site(), '/login')
  expect(await navigate('/login')).toBe('/login')
  expect(await navigate('/register')).toBe('/user/7')
})
