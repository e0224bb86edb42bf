import { useState } from 'react'
import { follows } from '#shared/contract/follows.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { FollowButtonProps } from '#web/features/social/follow/follow-button.tsx'
import { FollowLabel } from '#web/features/social/follow/follow-label.tsx'
import { api, errorMessage } from '#web/lib/api.ts'
import { useIntent } from '#web/lib/login-intent.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

type State = Reply<typeof follows.state>

/** The button for members. */
export function MemberFollow({ kind, id, count, size = 'sm' }: Omit<FollowButtonProps, 'ownerId'>) {
  const target = { kind, target_id: id }
  const key = `${kind} ${id}`
  const { data } = useQuery(key, () => api(follows.state, target))
  /** What the member did since, for this target. */
  const [changed, setChanged] = useState<{ key: string; state: State }>()
  const [busy, setBusy] = useState(false)
  const state = changed?.key === key ? changed.state : data
  const isFollowing = state?.following ?? false
  const toggle = async () => {
    if (!state || busy) return
    setBusy(true)
    const optimistic = { following: !isFollowing, follower_count: state.follower_count + (isFollowing ? -1 : 1) }
    setChanged({ key, state: optimistic })
    try {
      await api(isFollowing ? follows.delete : follows.create, target)
      toast(isFollowing ? '已取消关注' : '已关注，有新内容时会通知您')
    } catch (error) {
      setChanged({ key, state })
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    } finally {
      setBusy(false)
    }
  }
  // Asked for before the login: goes on where it stopped.
  useIntent(state !== undefined, `follow ${kind}`, id, () => {
    if (!isFollowing) void toggle()
  })
  const shown = count === undefined ? undefined : Math.max(0, state?.follower_count ?? count)
  return (
    <Button size={size} aria-pressed={isFollowing} aria-disabled={!state} onClick={() => void toggle()}>
      <FollowLabel isFollowing={isFollowing} count={shown} />
    </Button>
  )
}
