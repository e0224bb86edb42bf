import { LibraryBig } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { ContentType } from '#shared/enums.ts'
import { useLoginLink } from '#web/domain/login-link.ts'
import { useIntent } from '#web/lib/login-intent.ts'
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
  const login = useLoginLink({ asked: 'collect', id, why: '登录后即可加入文集' })
  const signedIn = isSignedIn(useSession())
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  // Asked for before the login: goes on where it stopped.
  useIntent(signedIn, 'collect', id, () => setOpen(true))
  const label = (
    <>
      <LibraryBig size={15} aria-hidden />
      加入文集
    </>
  )
  if (!signedIn) {
    return (
      <span data-for="guest" title="登录后加入文集">
        <ButtonLink {...login} size={size} variant={variant}>
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
