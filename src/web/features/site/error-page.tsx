import { Suspense, useEffect, useEffectEvent } from 'react'
import { isRouteErrorResponse, useLocation, useNavigate, useRevalidator } from 'react-router'
import { SearchBox } from '#web/features/search/box/search-box.tsx'
import { Page } from '#web/ui/page.tsx'
import { loginPath } from '#web/domain/guard-rules.ts'
import type { Failure } from '#web/lib/load.ts'
import { isLostScript } from '#web/lib/browser/reload.ts'
import { reportPageFailure } from '#web/features/site/page-failures.ts'
import { useWhenOnline } from '#web/lib/browser/online.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import type { DrawingProps } from '#web/ui/drawings/drawing.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

// Few visitors see this page, and its script is a part of every page.
const PaperPlaneDrawing = lazyPart<DrawingProps>(
  async () => (await import('#web/ui/drawings/paper-plane.tsx')).PaperPlaneDrawing,
  QuietFailure,
)

/** In place of a page that could not be loaded or rendered. */
export function ErrorPage({ error }: { error: unknown }) {
  const { revalidate, state } = useRevalidator()
  const { status, message, reason } = describeError(error)
  if (accessReasons.has(reason)) return <AccessDenied message={message} />
  if (status === 404 || status === 410) return <NotFound status={status} message={message} />
  const retry = async () => {
    if (isLostPage(error)) await error.load().catch(() => undefined)
    await revalidate()
  }
  return <Failed message={message} retry={() => void retry()} busy={state === 'loading'} />
}

export function describeError(error: unknown): Failure & { status: number } {
  if (isRouteErrorResponse(error)) {
    const failure: Partial<Failure> = typeof error.data === 'object' && error.data !== null ? error.data : {}
    const fallback = error.status === 404 ? '页面不存在' : '服务器出错了，请稍后重试'
    return { status: error.status, message: failure.message || fallback, reason: failure.reason ?? '' }
  }
  return {
    status: 500,
    message: isLostScript(error) ? '页面没有加载成功，请检查网络后重试' : '页面出错了，请稍后重试',
    reason: '',
  }
}

/** The script of the page itself (vite.config.ts): revalidating alone does not load it again. */
function isLostPage(error: unknown): error is { load: () => Promise<void> } {
  return isLostScript(error) && 'load' in error
}

const accessReasons = new Set(['access.loginNeeded', 'access.siteClosed'])

/** The server renders pages for anonymous visitors. Members fetch the page again; visitors without a session are sent to the login page. */
function AccessDenied({ message }: { message: string }) {
  const session = useSession()
  const { revalidate, state } = useRevalidator()
  const signedIn = isSignedIn(session)
  const location = useLocation()
  const navigate = useNavigate()
  const goToLogin = useEffectEvent(() => void navigate(loginPath(location), { replace: true }))
  useEffect(() => {
    let isUnmounted = false
    const retry = async () => {
      // For anonymous visitors too: the login page needs the site's current settings.
      await revalidate()
      if (!signedIn && !isUnmounted) goToLogin()
    }
    void retry()
    return () => {
      isUnmounted = true
    }
  }, [signedIn, revalidate])
  return (
    <Page>
      {signedIn && state === 'idle' ? (
        <ErrorState message={message} action={<ButtonLink to="/">返回首页</ButtonLink>} />
      ) : (
        <SkeletonRows count={8} />
      )}
    </Page>
  )
}

const hints = {
  404: '它可能已被删除、改了地址，或者从来没有存在过。可以换个词找一找。',
  410: '它曾经在这里，现在没有了。也许还有相近的内容，可以换个词找一找。',
}

function NotFound({ status, message }: { status: keyof typeof hints; message: string }) {
  useEffect(reportPageFailure, [])
  return (
    <Page narrow>
      <div className="py-12 md:py-20">
        <div className="flex items-center justify-between gap-6">
          <p className="text-6xl font-bold text-accent tabular-nums md:text-7xl">{status}</p>
          <div className="w-32 md:w-44">
            <Suspense fallback={<div className="aspect-[128/88]" />}>
              <PaperPlaneDrawing className="w-full" />
            </Suspense>
          </div>
        </div>
        <h1 className="mt-4 text-2xl md:text-3xl">{message}</h1>
        <p className="mt-2 text-muted">{hints[status]}</p>
        <div className="mt-8 max-w-lg">
          <SearchBox size="lg" />
        </div>
        <div className="mt-6 flex flex-wrap gap-3">
          <ButtonLink to="/" variant="primary">
            返回首页
          </ButtonLink>
          <ButtonLink to="/category">浏览全部分类</ButtonLink>
        </div>
      </div>
    </Page>
  )
}

function Failed({ message, retry, busy }: { message: string; retry: () => void; busy: boolean }) {
  useEffect(reportPageFailure, [])
  useWhenOnline(retry)
  return (
    <Page narrow>
      <div className="py-8">
        <ErrorState
          message={message}
          busy={busy}
          retry={retry}
          action={
            <ButtonLink to="/" variant="primary">
              返回首页
            </ButtonLink>
          }
        />
      </div>
    </Page>
  )
}
