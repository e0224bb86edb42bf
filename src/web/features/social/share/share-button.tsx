import { Share2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'

const ShareDialog = lazyOverlay(async () => (await import('#web/features/social/share/share-dialog.tsx')).ShareDialog)

export interface Shareable {
  uuid: string
  title: string
  /** The path of its picture; empty for none. */
  cover: string
  pages: number
  /** For everyone: it may be embedded. */
  isPublic: boolean
}

interface ShareButtonProps {
  document: Shareable
  size?: 'sm' | 'md'
  /** An icon has no words: for bars. */
  variant?: 'plain' | 'quiet' | 'icon'
}

export function ShareButton({ document, size = 'sm', variant = 'quiet' }: ShareButtonProps) {
  const [open, setOpen] = useState(false)
  const [page, setPage] = useState(1)
  const isMounted = useLazyMount(open)
  const show = () => {
    setPage(Math.min(currentPage(), document.pages))
    setOpen(true)
  }
  return (
    <>
      {variant === 'icon' ? (
        <IconButton label="分享" onClick={show}>
          <Share2 size={18} aria-hidden />
        </IconButton>
      ) : (
        <Button size={size} variant={variant} onClick={show}>
          <Share2 size={15} aria-hidden />
          分享
        </Button>
      )}
      {isMounted && (
        <Suspense>
          <ShareDialog document={document} page={page} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}

/** The reader keeps the current page in the address. */
function currentPage(): number {
  return Number(new URLSearchParams(location.search).get('page')) || 1
}
