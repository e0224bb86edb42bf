import { Download } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import type { DownloadableDocument } from '#web/features/documents/download/download-dialog.tsx'
import { usePriceText } from '#web/domain/prices.ts'
import { useCreditName } from '#web/domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const DownloadDialog = lazyOverlay(
  async () => (await import('#web/features/documents/download/download-dialog.tsx')).DownloadDialog,
)

type PricedDocument = DownloadableDocument & { price: number }

/** With the price, for the end of the document and where there is no preview. */
export function DocumentDownload({ document, size = 'md' }: { document: PricedDocument; size?: 'md' | 'lg' }) {
  const price = usePriceText()(document.price)
  return <DownloadButton document={document} size={size}>{`下载文档（${price}）`}</DownloadButton>
}

/** For the toolbar: of a document that is not free, narrow screens show the price alone. There is no room for money. */
export function ToolbarDownload({ document }: { document: PricedDocument }) {
  const creditName = useCreditName()
  const isFree = document.price === 0
  return (
    <DownloadButton document={document} size="sm">
      <span className={isFree ? '' : 'max-md:sr-only'}>下载</span>
      {!isFree && <span>{`${document.price} ${creditName}`}</span>}
    </DownloadButton>
  )
}

interface DownloadButtonProps {
  document: DownloadableDocument
  size: 'sm' | 'md' | 'lg'
  children: ReactNode
}

/** Opens the dialog that says what the download costs. */
function DownloadButton({ document, size, children }: DownloadButtonProps) {
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  return (
    <>
      <Button variant="primary" size={size} onClick={() => setOpen(true)}>
        <Download size={size === 'sm' ? 15 : 17} aria-hidden />
        {children}
      </Button>
      {isMounted && (
        <Suspense>
          <DownloadDialog document={document} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
