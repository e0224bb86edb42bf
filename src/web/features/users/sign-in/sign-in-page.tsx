import { type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { useSite } from '#web/domain/site.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Only visitors who were sent here load it.
const LoginReason = lazyPart(
  async () => (await import('#web/features/users/sign-in/login-reason.tsx')).LoginReason,
  () => null,
)

/** The page around the login, registration and reset forms. */
export function SignInPage({
  title,
  lead,
  background,
  aside,
  children,
}: {
  title: string
  lead?: ReactNode
  background: string
  /** Beside the form, on narrow screens above it. */
  aside?: ReactNode
  children: ReactNode
}) {
  const { system } = useSite().settings
  const redirect = useSearchParams()[0].get('redirect')
  const path = useHydrated() && redirect
  return (
    <div
      className={background ? 'bg-cover bg-center' : ''}
      style={background ? { backgroundImage: `url(${JSON.stringify(background)})` } : {}}
    >
      <div className="mx-auto grid max-w-page items-center gap-5 px-4 py-8 md:px-6 md:py-14 lg:min-h-[calc(100dvh-12rem)] lg:grid-cols-[1fr_26rem] lg:gap-16 lg:px-16 xl:gap-24 xl:px-6">
        <div className={aside ? undefined : 'max-lg:hidden'}>
          {!background && (
            <div className="mb-8 max-lg:hidden">
              <OpenBook />
              <p className="mt-8 text-4xl leading-snug font-bold text-balance">
                {system.title || system.sitename || '文豆'}
              </p>
              {system.description && <p className="mt-4 max-w-md text-lg text-muted">{system.description}</p>}
            </div>
          )}
          {aside}
        </div>
        <section className="mx-auto w-full max-w-[26rem] rounded-lg border border-line bg-surface p-6 shadow-soft md:p-8">
          <h1 className="text-2xl">{title}</h1>
          {lead && <p className="mt-1.5 text-sm text-muted">{lead}</p>}
          {path && (
            <Suspense>
              <LoginReason path={path} />
            </Suspense>
          )}
          <div className="mt-6">{children}</div>
        </section>
      </div>
    </div>
  )
}

function OpenBook() {
  return (
    <svg
      width="120"
      height="84"
      viewBox="0 0 120 84"
      fill="none"
      aria-hidden
      className="text-edge"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path
        d="M60 18C48 8 26 6 6 10v58c20-4 42-2 54 8 12-10 34-12 54-8V10C94 6 72 8 60 18Z"
        className="fill-surface"
        stroke="currentColor"
      />
      <path d="M60 18v58" stroke="currentColor" />
      <path d="M18 24c10-1 20 0 30 4M18 36c10-1 20 0 30 4M18 48c10-1 20 0 30 4" stroke="currentColor" opacity=".5" />
      <path d="M72 28c10-4 20-5 30-4" className="stroke-accent" strokeWidth="3" />
      <path d="M72 40c10-4 20-5 30-4M72 52c6-2.500 12-3.500 18-4" stroke="currentColor" opacity=".5" />
    </svg>
  )
}
