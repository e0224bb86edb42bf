import type { ContentType } from '#shared/enums.ts'
import { useEffect, useEffectEvent } from 'react'
import { FavoriteLabel, FavoriteMark } from '#web/features/social/favorite-label.tsx'
import {
  loadFavorite,
  displayedCount,
  isFavorite,
  toggleFavorite,
  useFavorite,
} from '#web/features/social/favorites.ts'
import { errorMessage } from '#web/lib/api.ts'
import { takeIntent } from '#web/lib/login-intent.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

export interface FavoriteButtonProps {
  type: ContentType
  id: number
  /** The number of members who have it; undefined where it is not shown. */
  count?: number | undefined
  size?: 'sm' | 'md'
  /** An icon has no words: for bars. */
  variant?: 'plain' | 'quiet' | 'icon'
}

/** The button for members. */
export function MemberFavorite({ type, id, count, size = 'md', variant = 'plain' }: FavoriteButtonProps) {
  const state = useFavorite({ type, id })
  const toggle = async () => {
    try {
      await toggleFavorite({ type, id }, count ?? 0)
    } catch (error) {
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    }
  }
  const add = useEffectEvent(async () => {
    if (!isFavorite({ type, id })) await toggle()
  })
  useEffect(() => {
    const load = async () => {
      // Before the request: of two buttons for the same document only one adds it.
      const isAskedFor = takeIntent('favorite', id)
      await loadFavorite({ type, id })
      if (isAskedFor) await add()
    }
    void load()
  }, [type, id])
  if (variant === 'icon')
    return (
      <IconButton
        label={state.isFavorite ? '取消收藏' : '收藏'}
        aria-pressed={state.isFavorite}
        onClick={() => void toggle()}
      >
        <FavoriteMark isFavorite={state.isFavorite} size={18} />
      </IconButton>
    )
  return (
    <Button size={size} variant={variant} aria-pressed={state.isFavorite} onClick={() => void toggle()}>
      <FavoriteLabel
        isFavorite={state.isFavorite}
        count={count === undefined ? undefined : displayedCount(count, state)}
      />
    </Button>
  )
}
