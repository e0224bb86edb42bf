import { Suspense } from 'react'
import { useLocation } from 'react-router'
import { LikeLabel } from '#web/features/articles/likes/like-label.tsx'
import { loginPath } from '#web/domain/guard-rules.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const MemberLike = lazyPart(async () => (await import('#web/features/articles/likes/member-like.tsx')).MemberLike)

/** Likes an article. Visitors log in first, and come back. */
export function LikeButton({ id, count }: { id: number; count: number }) {
  const session = useSession()
  const location = useLocation()
  const label = <LikeLabel isLiked={false} count={count} />
  if (!isSignedIn(session)) {
    return (
      <span data-for="guest" title="登录后点赞">
        <ButtonLink to={loginPath(location)}>{label}</ButtonLink>
      </span>
    )
  }
  return (
    <Suspense fallback={<Button aria-disabled>{label}</Button>}>
      <MemberLike id={id} count={count} />
    </Suspense>
  )
}
