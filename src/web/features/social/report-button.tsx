import { Flag } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { loginFor } from '#web/lib/guards.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

const ReportDialog = lazy(async () => ({
  default: (await import('#web/features/social/report-dialog.tsx')).ReportDialog,
}))

/** Tells the site's keepers that something is wrong with a document. */
export function ReportButton({ id, size = 'md' }: { id: number; size?: 'sm' | 'md' }) {
  const session = useSession()
  const location = useLocation()
  const [open, setOpen] = useState(false)
  // Once fetched it stays, so that it can be seen closing.
  const [isWanted, setIsWanted] = useState(false)
  const [reported, setReported] = useState(0)
  if (!isSignedIn(session)) {
    return (
      <span data-for="guest" title="登录后举报">
        <ButtonLink to={loginFor(location)} size={size} look="quiet">
          <Flag size={15} aria-hidden />
          举报
        </ButtonLink>
      </span>
    )
  }
  const isDone = reported === id
  const show = () => {
    setIsWanted(true)
    setOpen(true)
  }
  return (
    <>
      <Button size={size} look="quiet" disabled={isDone} onClick={show}>
        <Flag size={15} aria-hidden />
        {isDone ? '已举报' : '举报'}
      </Button>
      {isWanted && (
        <Suspense>
          <ReportDialog id={id} open={open} onOpenChange={setOpen} onReported={() => setReported(id)} />
        </Suspense>
      )}
    </>
  )
}
