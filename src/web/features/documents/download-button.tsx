import { Download } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'

const DownloadDialog = lazy(async () => ({
  default: (await import('#web/features/documents/download-dialog.tsx')).DownloadDialog,
}))

interface DownloadButtonProps {
  document: { id: number; title: string; ext: string; size: number }
  size?: 'sm' | 'md' | 'lg'
  children: ReactNode
}

/** Says what it costs before anything is spent. */
export function DownloadButton({ document, size = 'md', children }: DownloadButtonProps) {
  const [open, setOpen] = useState(false)
  // Once fetched it stays, so that it can be seen closing.
  const [isWanted, setIsWanted] = useState(false)
  const show = () => {
    setIsWanted(true)
    setOpen(true)
  }
  return (
    <>
      <Button look="primary" size={size} onClick={show}>
        <Download size={size === 'sm' ? 15 : 17} aria-hidden />
        {children}
      </Button>
      {isWanted && (
        <Suspense>
          <DownloadDialog document={document} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
