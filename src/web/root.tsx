import { useEffect, useEffectEvent, useRef, type CSSProperties, type ReactNode } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigate,
  useRevalidator,
  useRouteLoaderData,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import type { Route } from './+types/root.ts'
import { describe } from '#web/features/site/error-page.tsx'
import { LastResort, LastWords } from '#web/features/site/last-resort.tsx'
import { NetworkNotice } from '#web/features/site/network-notice.tsx'
import { PageProgress } from '#web/features/site/page-progress.tsx'
import type { Accent } from '#web/lib/accent.ts'
import { firstPaint } from '#web/lib/first-paint.ts'
import { gate, guarded, lastSite, notePath, noteReader, noteSite, siteIsPartial } from '#web/lib/gate.ts'
import { load } from '#web/lib/load.ts'
import { useNonce } from '#web/lib/nonce.ts'
import { isUnlisted, pageMeta } from '#web/lib/seo.ts'
import { currentSession, followOtherTabs, isSignedIn, useSession } from '#web/lib/session.ts'
import type { Site } from '#web/lib/site.ts'
import { followSystem } from '#web/lib/theme.ts'
import { noteVisit } from '#web/lib/visit.ts'
import { toast, Toaster } from '#web/ui/toast.tsx'
import './app.css'

// The server brings it with the page, so the browser seldom needs the means to ask for it.
const site = load(async ({ api }) => (await import('#web/lib/load-site.ts')).loadSite(api))
export const loader = site.server
export const clientMiddleware = [gate]

export async function clientLoader(args: ClientLoaderFunctionArgs): Promise<Site> {
  const { token } = currentSession()
  try {
    const loaded = await site.client(args)
    noteReader(token)
    return loaded
  } catch (error) {
    // What surrounds the page is worth more a little old than not at all.
    const known = lastSite()
    if (known) return known
    throw error
  }
}

/** The shell stays as it is from page to page; it is only asked for again when someone says so. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href === nextUrl.href || siteIsPartial()
}

export function Layout({ children }: { children: ReactNode }) {
  const known = useRouteLoaderData<() => Promise<Site>>('root')
  const nonce = useNonce()
  const { pathname } = useLocation()
  const system = known?.settings.system
  return (
    <html lang="zh-CN" style={known && accentStyle(known.accent)} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <script
          nonce={nonce}
          suppressHydrationWarning
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? firstPaint : '' }}
        />
        <link rel="icon" href={system?.favicon || '/favicon.svg'} />
        <link rel="apple-touch-icon" href="/icons/apple.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {system && <meta name="theme-color" content={system.theme_color} />}
        {isUnlisted(pathname) && <meta name="robots" content="noindex, follow" />}
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useDoors(loaderData)
  useFreshAccount()
  useVisits()
  useEffect(followSystem, [])
  // The first script's marks (first-paint.ts) have served: from here on the page knows by itself.
  useEffect(() => {
    document.documentElement.removeAttribute('data-member')
    document.documentElement.removeAttribute('data-vip')
  }, [])
  return (
    <>
      <PageProgress />
      <Outlet />
      <NetworkNotice />
      <Toaster />
    </>
  )
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData)
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <LastResort>
      <LastWords title="网站暂时无法显示" details={describe(error).message} />
    </LastResort>
  )
}

/**
 * The guards on the first page, and whenever the session, the page or the site is another: what was open may be closed.
 * Navigations pass the gate before.
 */
function useDoors(site: Site): void {
  const { token } = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const checked = useRef<string>(undefined)
  const leave = (target: string | undefined) => target !== undefined && void navigate(target, { replace: true })
  const check = useEffectEvent((now: string, target: string | undefined) => {
    const isFirst = checked.current === undefined
    const lost = !isFirst && now === '' && checked.current !== ''
    checked.current = now
    if (target === undefined) return
    // Someone who has just logged in is on the way to where they wanted.
    if (!isFirst && !lost && !target.startsWith('/login')) return
    if (lost) toast('登录已失效，请重新登录', 'danger')
    leave(target)
  })
  const reloadAll = useEffectEvent(() => {
    leave(guarded(location))
    void revalidate()
  })
  useEffect(() => notePath(location.pathname + location.search), [location])
  useEffect(() => {
    noteSite(site)
    check(token, guarded(location))
  }, [token, location, site])
  useEffect(() => followOtherTabs(reloadAll), [])
  useEffect(() => {
    if (token !== '' && siteIsPartial()) void revalidate()
  }, [token, revalidate])
}

/** Another query of the same page is no other visit. */
function useVisits(): void {
  const { pathname } = useLocation()
  useEffect(() => noteVisit(pathname), [pathname])
}

/** The account may have changed since the last visit. Only members need the means to ask. */
function useFreshAccount(): void {
  useEffect(() => {
    if (isSignedIn(currentSession())) void renewAccount()
  }, [])
}

async function renewAccount(): Promise<void> {
  const { refreshRights, refreshUser } = await import('#web/lib/account.ts')
  await Promise.allSettled([refreshRights(), refreshUser()])
}

type Variables = CSSProperties & Record<`--${string}`, string>

function accentStyle({ light, onLight, dark, onDark }: Accent): Variables {
  return {
    '--accent-on-light': light,
    '--text-on-light-accent': onLight,
    '--accent-on-dark': dark,
    '--text-on-dark-accent': onDark,
  }
}
