import { Suspense } from 'react'
import { Link } from 'react-router'
import { FavoriteLabel, FavoriteMark } from '#web/features/social/favorite-label.tsx'
import { useLoginLink } from '#web/domain/login-link.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import type { FavoriteButtonProps } from '#web/features/social/member-favorite.tsx'
import { iconButtonClass } from '#web/ui/icon-button.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const MemberFavorite = lazyPart(async () => (await import('#web/features/social/member-favorite.tsx')).MemberFavorite)

/** Adds a document or an article to the member's favorites. */
export function FavoriteButton(props: FavoriteButtonProps) {
  const { count, size = 'md', variant = 'plain' } = props
  const session = useSession()
  const login = useLoginLink({ asked: 'favorite', id: props.id, why: '登录后即可收藏' })
  const icon = <FavoriteMark isFavorite={false} size={18} />
  if (variant === 'icon')
    return isSignedIn(session) ? (
      <Suspense fallback={<span className={iconButtonClass}>{icon}</span>}>
        <MemberFavorite {...props} />
      </Suspense>
    ) : (
      <Link {...login} aria-label="收藏" title="登录后收藏" className={iconButtonClass}>
        {icon}
      </Link>
    )
  const label = <FavoriteLabel isFavorite={false} count={count} />
  if (!isSignedIn(session)) {
    return (
      <span data-for="guest" title="登录后收藏">
        <ButtonLink {...login} size={size} variant={variant}>
          {label}
        </ButtonLink>
      </span>
    )
  }
  return (
    <Suspense
      fallback={
        <Button size={size} variant={variant} aria-disabled>
          {label}
        </Button>
      }
    >
      <MemberFavorite {...props} />
    </Suspense>
  )
}
