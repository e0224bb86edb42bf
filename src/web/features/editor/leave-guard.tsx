import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { currentSession, isSignedIn } from '#web/lib/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface LeaveGuardProps {
  /** Whether there is anything to lose. */
  isDirty: () => boolean
  isKept: boolean
}

/** Asks before one leaves what is not published. A session that has ended leads to login unasked: the draft is kept for it. */
export function LeaveGuard({ isDirty, isKept }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      addressOf(currentLocation) !== addressOf(nextLocation) && isDirty() && isSignedIn(currentSession()),
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  const stay = () => blocker.reset?.()
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onOpenChange={stay}
      title="离开编辑？"
      description={
        isKept
          ? '内容还没有发布。草稿保存在这个浏览器里，下次打开时可以恢复。'
          : '内容还没有发布，这个浏览器不允许保存草稿，离开后将丢失。'
      }
    >
      <div className="mt-6 flex justify-end gap-3">
        <Button onClick={stay}>继续编辑</Button>
        <Button look="danger" onClick={() => blocker.proceed?.()}>
          离开
        </Button>
      </div>
    </Dialog>
  )
}

function addressOf({ pathname, search }: { pathname: string; search: string }): string {
  return pathname + search
}
