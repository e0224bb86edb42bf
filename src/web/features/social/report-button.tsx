import { Flag } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useLoginLink } from '#web/domain/login-link.ts'
import { useIntent } from '#web/lib/login-intent.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const ReportDialog = lazyOverlay(async () => (await import('#web/features/social/report-dialog.tsx')).ReportDialog)

/** Reports a document to the site's staff. */
export function ReportButton({ id, size = 'md' }: { id: number; size?: 'sm' | 'md' }) {
  const session = useSession()
  const login = useLoginLink({ asked: 'report', id, why: '登录后即可举报' })
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  const [reported, setReported] = useState(0)
  const signedIn = isSignedIn(session)
  // Asked for before the login: goes on where it stopped.
  useIntent(signedIn, 'report', id, () => setOpen(true))
  if (!signedIn) {
    return (
      <span data-for="guest" title="登录后举报">
        <ButtonLink {...login} size={size} variant="quiet">
          <Flag size={15} aria-hidden />
          举报
        </ButtonLink>
      </span>
    )
  }
  const isDone = reported === id
  return (
    <>
      <Button size={size} variant="quiet" disabled={isDone} onClick={() => setOpen(true)}>
        <Flag size={15} aria-hidden />
        {isDone ? '已举报' : '举报'}
      </Button>
      {isMounted && (
        <Suspense>
          <ReportDialog id={id} open={open} onOpenChange={setOpen} onReported={() => setReported(id)} />
        </Suspense>
      )}
    </>
  )
}
