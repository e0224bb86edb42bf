import { useEffect, useRef, useState } from 'react'
import { articleLikes } from '#shared/contract/article-likes.ts'
import { LikeLabel } from '#web/features/articles/likes/like-label.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** The button for members. The count of a cached page may be older than the server's. */
export function MemberLike({ id, count }: { id: number; count: number }) {
  const [state, setState] = useState({ liked: false, like_count: count })
  const isBusy = useRef(false)
  useEffect(() => {
    let isCurrent = true
    api(articleLikes.get, { id }).then(
      (loaded) => isCurrent && !isBusy.current && setState(loaded),
      // The button works without it: liking twice changes nothing.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [id])
  const toggle = async () => {
    if (isBusy.current) return
    isBusy.current = true
    const before = state
    const change = before.liked ? -1 : 1
    setState({ liked: !before.liked, like_count: Math.max(0, before.like_count + change) })
    try {
      setState(await api(before.liked ? articleLikes.delete : articleLikes.create, { id }))
    } catch (error) {
      setState(before)
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    } finally {
      isBusy.current = false
    }
  }
  return (
    <Button aria-pressed={state.liked} onClick={() => void toggle()}>
      <LikeLabel isLiked={state.liked} count={state.like_count} />
    </Button>
  )
}
