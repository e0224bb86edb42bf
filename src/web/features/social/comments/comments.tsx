import type { ContentType } from '#shared/enums.ts'
import { Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { CommentsHeading, CommentsSkeleton } from '#web/features/social/comments/comments-frame.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { useNear } from '#web/lib/browser/near.ts'
import { useSession } from '#web/lib/session.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Most readers never reach the comments: they are loaded when the section comes near.
const CommentThreads = lazyPart(
  async () => (await import('#web/features/social/comments/comment-threads.tsx')).CommentThreads,
)

interface CommentsProps {
  type: ContentType
  id: number
}

/** The comments on a document or an article. `#comments` links here. */
export function Comments({ type, id }: CommentsProps) {
  const section = useRef<HTMLElement>(null)
  const linkedId = useLinkedComment()
  const isNear = useNear(section) || linkedId > 0
  const { token } = useSession()
  useEffect(() => {
    if (linkedId > 0) section.current?.scrollIntoView()
  }, [linkedId])
  const skeleton = (
    <>
      <CommentsHeading />
      <CommentsSkeleton />
    </>
  )
  return (
    <section ref={section} id="comments" tabIndex={-1} aria-label="评论" className="scroll-mt-20 outline-none">
      {isNear ? (
        <Suspense fallback={skeleton}>
          <CommentThreads key={`${type} ${id} ${token}`} type={type} id={id} linkedId={linkedId} />
        </Suspense>
      ) : (
        skeleton
      )}
    </section>
  )
}

/** The comment of a `#comment-7` in the address; 0 without one. */
function useLinkedComment(): number {
  const { hash } = useLocation()
  // The server does not see the hash, and hydration must match its HTML.
  if (!useHydrated()) return 0
  return Number(/^#comment-(\d{1,15})$/.exec(hash)?.[1] ?? 0)
}
