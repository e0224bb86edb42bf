import { Suspense } from 'react'
import { useLocation } from 'react-router'
import { FavoriteLabel } from '#web/features/social/favorite-label.tsx'
import { loginPath, pathOf } from '#web/domain/guard-rules.ts'
import { saveIntent } from '#web/lib/login-intent.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import type { FavoriteButtonProps } from '#web/features/social/member-favorite.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const MemberFavorite = lazyPart(async () => (await import('#web/features/social/member-favorite.tsx')).MemberFavorite)

/** Adds a document or an article to the member's favorites. */
export function FavoriteButton(props: FavoriteButtonProps) {
  const { count, size = 'md', variant = 'plain' } = props
  const session = useSession()
  const location = useLocation()
  const label = <FavoriteLabel isFavorite={false} count={count} />
  if (!isSignedIn(session)) {
    return (
      <span data-for="guest" title="登录后收藏">
        <ButtonLink
          to={loginPath(location)}
          onClick={() => saveIntent('favorite', props.id, { path: pathOf(location), why: '登录后即可收藏' })}
          size={size}
          variant={variant}
        >
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
