import { LibraryBig } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import type { ContentType } from '#shared/enums.ts'
import { loginPath } from '#web/domain/guard-rules.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'

const CollectDialog = lazyOverlay(
  async () => (await import('#web/features/social/collect/collect-dialog.tsx')).CollectDialog,
)

interface CollectButtonProps {
  type: ContentType
  id: number
  size?: 'sm' | 'md'
  variant?: 'plain' | 'quiet'
}

/** Adds a document or an article to collections of the member. */
export function CollectButton({ type, id, size = 'md', variant = 'plain' }: CollectButtonProps) {
  const location = useLocation()
  const session = useSession()
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  const label = (
    <>
      <LibraryBig size={15} aria-hidden />
      加入文集
    </>
  )
  if (!isSignedIn(session)) {
    return (
      <span data-for="guest" title="登录后加入文集">
        <ButtonLink to={loginPath(location)} size={size} variant={variant}>
          {label}
        </ButtonLink>
      </span>
    )
  }
  return (
    <>
      <Button size={size} variant={variant} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isMounted && (
        <Suspense>
          <CollectDialog type={type} id={id} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
