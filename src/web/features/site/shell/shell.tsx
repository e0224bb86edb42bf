import { Suspense, useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Footer, type Friendlinks } from '#web/features/site/shell/footer.tsx'
import { Header } from '#web/features/site/shell/header.tsx'
import { RightBar } from '#web/features/site/shell/right-bar.tsx'
import { useSite } from '#web/domain/site.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

const AnnouncementStrip = lazyPart(
  async () => (await import('#web/features/site/announcement-strip.tsx')).AnnouncementStrip,
  QuietFailure,
)

const none: Friendlinks = []

/** Header, page and footer. The list of articles has its footer in a side column. */
export function Shell({ friends = none, children }: { friends?: Friendlinks; children: ReactNode }) {
  const { pathname } = useLocation()
  const hasFooter = !/^\/article\/?$/.test(pathname)
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-md focus:bg-surface focus:px-4 focus:py-2 focus:shadow-soft"
      >
        跳到正文
      </a>
      <Header />
      <Announcements />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      {hasFooter && <Footer friends={friends} />}
      <RightBar />
      <TitleAnnouncer />
      <FeedLinks />
    </div>
  )
}

/** They depend on the viewer, so the server renders none; a site that has none loads nothing for them. */
function Announcements() {
  const isHydrated = useHydrated()
  const { hasAnnouncements } = useSite()
  if (!isHydrated || !hasAnnouncements) return null
  return (
    <Suspense>
      <AnnouncementStrip />
    </Suspense>
  )
}

/** A site that is not public has no feeds. */
function FeedLinks() {
  const { is_close, login_required } = useSite().settings.security
  if (is_close || login_required) return null
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title="最新文档" href="/feed/document" />
      <link rel="alternate" type="application/atom+xml" title="最新文章" href="/feed/article" />
    </>
  )
}

/** Announces a navigation to screen readers. */
function TitleAnnouncer() {
  const { pathname } = useLocation()
  const announcement = useRef<HTMLParagraphElement>(null)
  const lastPath = useRef(pathname)
  useEffect(() => {
    if (announcement.current && pathname !== lastPath.current) announcement.current.textContent = document.title
    lastPath.current = pathname
  }, [pathname])
  return <p ref={announcement} aria-live="polite" className="sr-only" />
}
