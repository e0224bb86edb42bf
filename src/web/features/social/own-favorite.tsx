import { useEffect } from 'react'
import { ApiError } from '#shared/errors.ts'
import type { FavoriteButtonProps } from '#web/features/social/favorite-button.tsx'
import { FavoriteFace } from '#web/features/social/favorite-face.tsx'
import { askFavorite, countWith, toggleFavorite, useFavorite } from '#web/features/social/favorites.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

/** A member's: shown as turned at once, and turned back when the server refuses. */
export function OwnFavorite({ type, id, count, size = 'md', look = 'plain' }: FavoriteButtonProps) {
  const state = useFavorite({ type, id })
  useEffect(() => void askFavorite({ type, id }), [type, id])
  const toggle = async () => {
    try {
      await toggleFavorite({ type, id }, count ?? 0)
    } catch (error) {
      toast(error instanceof ApiError ? error.message : '没有成功，请稍后重试', 'danger')
    }
  }
  return (
    <Button size={size} look={look} aria-pressed={state.isKept} onClick={() => void toggle()}>
      <FavoriteFace isKept={state.isKept} count={count === undefined ? undefined : countWith(count, state)} />
    </Button>
  )
}
