import { Suspense } from 'react'
import type { FollowTarget } from '#shared/collections.ts'
import { useLoginLink } from '#web/domain/login-link.ts'
import { FollowLabel } from '#web/features/social/follow/follow-label.tsx'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const MemberFollow = lazyPart(async () => (await import('#web/features/social/follow/member-follow.tsx')).MemberFollow)

export interface FollowButtonProps {
  kind: FollowTarget
  id: number
  /** Of an author or a collection: owners do not follow themselves. */
  ownerId?: number
  /** The number of followers that came with the page; undefined where it is not shown. */
  count?: number
  size?: 'sm' | 'md'
}

/** Follows an author, a category or a collection. It takes up its space for the owner too, as the page is the same for everyone. */
export function FollowButton({ ownerId, ...props }: FollowButtonProps) {
  const { count, size = 'sm' } = props
  const session = useSession()
  const login = useLoginLink({ asked: `follow ${props.kind}`, id: props.id, why: '登录后即可关注' })
  const label = <FollowLabel isFollowing={false} count={count} />
  if (!isSignedIn(session)) {
    return (
      <span data-for="guest" title="登录后关注">
        <ButtonLink {...login} size={size}>
          {label}
        </ButtonLink>
      </span>
    )
  }
  if (session.user.id === ownerId) {
    return (
      <Button size={size} className="invisible" tabIndex={-1}>
        {label}
      </Button>
    )
  }
  return (
    <Suspense
      fallback={
        <Button size={size} aria-disabled>
          {label}
        </Button>
      }
    >
      <MemberFollow {...props} />
    </Suspense>
  )
}
