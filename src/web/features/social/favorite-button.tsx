import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router'
import { FavoriteFace } from '#web/features/social/favorite-face.tsx'
import { loginFor } from '#web/lib/guards.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

const OwnFavorite = lazy(async () => ({ default: (await import('#web/features/social/own-favorite.tsx')).OwnFavorite }))

export interface FavoriteButtonProps {
  /** 0 documents, 1 articles. */
  type: 0 | 1
  id: number
  /** How many have it; nothing where that is not shown. */
  count?: number | undefined
  size?: 'sm' | 'md'
  look?: 'plain' | 'quiet'
}

/** Keeps a document or an article for later. Everywhere on the page it shows the same. */
export function FavoriteButton(props: FavoriteButtonProps) {
  const { count, size = 'md', look = 'plain' } = props
  const session = useSession()
  const location = useLocation()
  const face = <FavoriteFace isKept={false} count={count} />
  if (!isSignedIn(session)) {
    return (
      <span data-for="guest" title="登录后收藏">
        <ButtonLink to={loginFor(location)} size={size} look={look}>
          {face}
        </ButtonLink>
      </span>
    )
  }
  return (
    <Suspense
      fallback={
        <Button size={size} look={look} aria-disabled>
          {face}
        </Button>
      }
    >
      <OwnFavorite {...props} />
    </Suspense>
  )
}
