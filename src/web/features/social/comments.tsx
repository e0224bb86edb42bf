import { lazy, Suspense, useEffect, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { CommentsHeading, CommentsSkeleton } from '#web/features/social/comments-frame.tsx'
import { useHydrated } from '#web/lib/hydrated.ts'
import { useSession } from '#web/lib/session.ts'

// Most of what is read is read without its comments: they come when one gets near them.
const CommentThreads = lazy(async () => ({
  default: (await import('#web/features/social/comment-threads.tsx')).CommentThreads,
}))

interface CommentsProps {
  /** 0 documents, 1 articles. */
  type: 0 | 1
  id: number
}

/** What people say about a document or an article. `#comments` leads here. */
export function Comments({ type, id }: CommentsProps) {
  const section = useRef<HTMLElement>(null)
  const wanted = useWantedComment()
  const isNear = useNear(section) || wanted > 0
  const { token } = useSession()
  useEffect(() => {
    if (wanted > 0) section.current?.scrollIntoView()
  }, [wanted])
  const waiting = (
    <>
      <CommentsHeading />
      <CommentsSkeleton />
    </>
  )
  return (
    <section ref={section} id="comments" tabIndex={-1} aria-label="评论" className="scroll-mt-20 outline-none">
      {isNear ? (
        <Suspense fallback={waiting}>
          <CommentThreads key={`${type} ${id} ${token}`} type={type} id={id} wanted={wanted} />
        </Suspense>
      ) : (
        waiting
      )}
    </section>
  )
}

/** The one that `#comment-7` in the address names; 0 without such. */
function useWantedComment(): number {
  const { hash } = useLocation()
  // The server never sees it, and the first render is to be like the server's.
  if (!useHydrated()) return 0
  return Number(/^#comment-(\d{1,15})$/.exec(hash)?.[1] ?? 0)
}

/** Whether it has come within a screen's reach. */
function useNear(target: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || !target.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: '600px 0px' },
    )
    observer.observe(target.current)
    return () => observer.disconnect()
  }, [isNear, target])
  return isNear
}
