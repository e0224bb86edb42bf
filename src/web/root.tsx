import { useEffect, useLayoutEffect, type CSSProperties, type ReactNode } from 'react'
import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteLoaderData,
  type ClientLoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from 'react-router'
import type { Route } from './+types/root.ts'
import { describeError } from '#web/features/site/error-page.tsx'
import { RootErrorBoundary, FatalError } from '#web/features/site/root-error-boundary.tsx'
import { PageProgress } from '#web/features/site/page-progress.tsx'
import { useAccessGuard } from '#web/features/site/use-access-guard.ts'
import type { Accent } from '#web/lib/accent.ts'
import { firstPaint } from '#web/lib/browser/first-paint.ts'
import { guard } from '#web/domain/route-guard.ts'
import { setResolveRefusal } from '#web/lib/api.ts'
import { load } from '#web/lib/load.ts'
import { useNonce } from '#web/lib/nonce.ts'
import { isUnlisted, pageMeta } from '#web/domain/seo.ts'
import { currentSession, isSignedIn, useSession } from '#web/lib/session.ts'
import { isTrialFor } from '#web/domain/orders.ts'
import type { Site } from '#web/domain/site.ts'
import { readStoredSite } from '#web/domain/stored-site.ts'
import { applyTheme, followSystem } from '#web/lib/theme.ts'
import { showVisitedPage, useKeepPage } from '#web/features/site/visited-pages.ts'
import { pageShown } from '#web/features/site/visits.ts'
import { Toaster } from '#web/ui/overlay/toast.tsx'
import './app.css'

// Loaded by the server with the first page: the browser rarely needs this code.
const site = load(async ({ api }) => (await import('#web/domain/load-site.ts')).loadSite(api))
export const loader = site.server
export const clientMiddleware = [guard.middleware, showVisitedPage]

setResolveRefusal(async (error, repeat) => {
  const { resolveRefusal } = await import('#web/features/users/security/refusals/resolve-refusal.tsx')
  return resolveRefusal(error, repeat)
})

export async function clientLoader(args: ClientLoaderFunctionArgs): Promise<Site> {
  const { token } = currentSession()
  try {
    const loaded = await site.client(args)
    guard.siteLoaded(token)
    return loaded
  } catch (error) {
    // A stale shell is better than none.
    const stale = guard.site() ?? readStoredSite()
    if (stale) return stale
    throw error
  }
}

/** Navigations keep the site; only revalidating the current page loads it again. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.href === nextUrl.href || guard.isSitePartial()
}

export function Layout({ children }: { children: ReactNode }) {
  const site = useRouteLoaderData<() => Promise<Site>>('root')
  const nonce = useNonce()
  const { pathname } = useLocation()
  const system = site?.settings.system
  return (
    <html
      lang="zh-CN"
      data-palette={site?.settings.display.palette}
      data-density={site?.settings.display.density}
      style={site && accentStyle(site.accent)}
      suppressHydrationWarning
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: firstPaint }} />
        <link rel="icon" href={system?.favicon || '/favicon.svg'} />
        <link rel="apple-touch-icon" href="/icons/apple.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {site && <meta name="theme-color" content={site.accent.light} />}
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
  useAccessGuard(loaderData)
  useFreshAccount()
  useVisits()
  useKeepPage()
  useEffect(followSystem, [])
  const { pathname } = useLocation()
  // Reading has a ground of its own.
  useLayoutEffect(applyTheme, [pathname])
  // The attributes of first-paint.ts hide parts only until hydration.
  useEffect(() => {
    document.documentElement.removeAttribute('data-member')
    document.documentElement.removeAttribute('data-vip')
  }, [])
  return (
    <>
      <PageProgress />
      <TrialStrip payment={loaderData.settings.payment} />
      <Outlet />
      <Toaster />
    </>
  )
}

export function meta({ loaderData }: Route.MetaArgs) {
  return pageMeta(loaderData)
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <RootErrorBoundary>
      <FatalError title="网站暂时无法显示" details={describeError(error).message} />
    </RootErrorBoundary>
  )
}

/** Only members who can pay without paying see this strip: all others pay for real. */
function TrialStrip({ payment }: { payment: Route.ComponentProps['loaderData']['settings']['payment'] }) {
  if (!isTrialFor(payment, useSession())) return null
  return (
    <p className="bg-warning-soft px-4 py-2 text-center text-sm text-warning">
      试运行：您可以选“试运行”付款，不会真的收款；其他支付方式照常收款。
    </p>
  )
}

function useVisits(): void {
  const location = useLocation()
  useEffect(() => pageShown(location), [location])
}

/** The account may have changed since the last visit. Only members load the code for it. */
function useFreshAccount(): void {
  useEffect(() => {
    if (isSignedIn(currentSession())) void refreshAccount()
  }, [])
}

async function refreshAccount(): Promise<void> {
  const { refreshRights, refreshUser } = await import('#web/domain/account.ts')
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
