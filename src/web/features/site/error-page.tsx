import { useEffect, useEffectEvent } from 'react'
import { isRouteErrorResponse, useLocation, useNavigate, useRevalidator } from 'react-router'
import { SearchBox } from '#web/features/site/search-box.tsx'
import { Page } from '#web/features/site/page.tsx'
import { loginFor } from '#web/lib/guards.ts'
import type { Failure } from '#web/lib/load.ts'
import { noteFailure } from '#web/lib/progress.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'

/** What a page shows that could not be shown. */
export function ErrorPage({ error }: { error: unknown }) {
  const { revalidate, state } = useRevalidator()
  const { status, message, reason } = describe(error)
  if (closedDoors.has(reason)) return <ClosedDoor message={message} />
  if (status === 404 || status === 410) return <NotFound status={status} message={message} />
  // A script that did not come stays away until the page is loaded anew.
  const retry = isLostScript(error) ? () => location.reload() : () => void revalidate()
  return <Failed message={message} retry={retry} busy={state === 'loading'} />
}

export function describe(error: unknown): Failure & { status: number } {
  if (isRouteErrorResponse(error)) {
    const given: Partial<Failure> = typeof error.data === 'object' && error.data !== null ? error.data : {}
    const usual = error.status === 404 ? '页面不存在' : '服务器出错了，请稍后重试'
    return { status: error.status, message: given.message || usual, reason: given.reason ?? '' }
  }
  return {
    status: 500,
    message: isLostScript(error) ? '页面没有加载成功，请检查网络后重试' : '页面出错了，请稍后重试',
    reason: '',
  }
}

function isLostScript(error: unknown): boolean {
  return error instanceof TypeError && /dynamically imported module|importing a module/i.test(error.message)
}

const closedDoors = new Set(['access.loginNeeded', 'access.siteClosed'])

/** The server draws pages for strangers. Members ask again for themselves; strangers, of whom a session that has ended makes one, are led to the login page. */
function ClosedDoor({ message }: { message: string }) {
  const session = useSession()
  const { revalidate, state } = useRevalidator()
  const signedIn = isSignedIn(session)
  const location = useLocation()
  const navigate = useNavigate()
  const goToLogin = useEffectEvent(() => void navigate(loginFor(location), { replace: true }))
  useEffect(() => {
    let gone = false
    const knock = async () => {
      // Strangers ask again too: the login page must know why the door is closed.
      await revalidate()
      if (!signedIn && !gone) goToLogin()
    }
    void knock()
    return () => {
      gone = true
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

const consolations = {
  404: '它可能已被删除、改了地址，或者从来没有存在过。可以换个词找一找。',
  410: '它曾经在这里，现在没有了。也许还有相近的内容，可以换个词找一找。',
}

function NotFound({ status, message }: { status: keyof typeof consolations; message: string }) {
  useEffect(noteFailure, [])
  return (
    <Page narrow>
      <div className="py-12 md:py-20">
        <p className="text-6xl font-bold text-accent tabular-nums md:text-7xl">{status}</p>
        <h1 className="mt-4 text-2xl md:text-3xl">{message}</h1>
        <p className="mt-2 text-muted">{consolations[status]}</p>
        <div className="mt-8 max-w-lg">
          <SearchBox size="lg" />
        </div>
        <div className="mt-6 flex flex-wrap gap-3">
          <ButtonLink to="/" look="primary">
            返回首页
          </ButtonLink>
          <ButtonLink to="/category">浏览全部分类</ButtonLink>
        </div>
      </div>
    </Page>
  )
}

function Failed({ message, retry, busy }: { message: string; retry: () => void; busy: boolean }) {
  useEffect(noteFailure, [])
  return (
    <Page narrow>
      <div className="py-8">
        <ErrorState
          message={message}
          busy={busy}
          retry={retry}
          action={
            <ButtonLink to="/" look="primary">
              返回首页
            </ButtonLink>
          }
        />
      </div>
    </Page>
  )
}
