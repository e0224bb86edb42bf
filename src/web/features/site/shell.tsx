import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Footer, type Friendlinks } from '#web/features/site/footer.tsx'
import { Header } from '#web/features/site/header.tsx'
import { RightBar } from '#web/features/site/right-bar.tsx'
import { useSite } from '#web/lib/site.ts'

const none: Friendlinks = []

/** Header, page, footer. The list of articles has no footer: it goes on as one scrolls. */
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

/** For those who read what is new elsewhere; a site that is not open to all has nothing for them. */
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

/** Those who hear the page learn that it is another one. */
function TitleAnnouncer() {
  const { pathname } = useLocation()
  const spoken = useRef<HTMLParagraphElement>(null)
  const last = useRef(pathname)
  useEffect(() => {
    if (spoken.current && pathname !== last.current) spoken.current.textContent = document.title
    last.current = pathname
  }, [pathname])
  return <p ref={spoken} aria-live="polite" className="sr-only" />
}
