import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { currentSession, isSignedIn } from '#web/lib/session.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

interface LeaveGuardProps {
  /** Whether there are changes that are neither published nor saved on the server. */
  isDirty: () => boolean
  /** Whether the draft is stored in the browser. */
  isStored: boolean
}

/** Asks before leaving unpublished changes. After the session has expired the login page follows without a question: the draft is stored. */
export function LeaveGuard({ isDirty, isStored }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      pathOf(currentLocation) !== pathOf(nextLocation) && isDirty() && isSignedIn(currentSession()),
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
        isStored
          ? '最近的修改还没有存到网站上。它们保存在这个浏览器里，下次打开时可以恢复。'
          : '内容还没有发布，这个浏览器不允许保存草稿，离开后将丢失。'
      }
    >
      <div className="mt-6 flex justify-end gap-3">
        <Button onClick={stay}>继续编辑</Button>
        <Button variant="danger" onClick={() => blocker.proceed?.()}>
          离开
        </Button>
      </div>
    </Dialog>
  )
}

function pathOf({ pathname, search }: { pathname: string; search: string }): string {
  return pathname + search
}
