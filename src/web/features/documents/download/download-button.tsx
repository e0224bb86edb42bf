import { Download } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import type { DownloadableDocument } from '#web/features/documents/download/download-dialog.tsx'
import { usePriceText } from '#web/domain/prices.ts'
import { useCreditName } from '#web/domain/site.ts'
import { useIntent } from '#web/lib/login-intent.ts'
import { hasPermission, isSignedIn, useSession } from '#web/lib/session.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'
import { lazyOverlay, lazyPart } from '#web/ui/lazy-part.tsx'

const DownloadDialog = lazyOverlay(
  async () => (await import('#web/features/documents/download/download-dialog.tsx')).DownloadDialog,
)

const BuyToRead = lazyPart(async () => (await import('#web/features/documents/download/buy-to-read.tsx')).BuyToRead)

const MemberDownloadLabel = lazyPart<LabelProps & { isShort: boolean }>(
  async () => (await import('#web/features/documents/download/member-words.tsx')).MemberDownloadLabel,
  ({ children }) => children,
)

const MemberShortfall = lazyPart<{ document: PricedDocument }>(
  async () => (await import('#web/features/documents/download/member-words.tsx')).MemberShortfall,
  () => null,
)

type PricedDocument = DownloadableDocument & { price: number; user_id: number; downloadable: boolean }

/** With the price, for the end of the document and where there is no preview. */
export function DocumentDownload({ document, size = 'md', sellsRest = false }: DocumentDownloadProps) {
  const price = usePriceText()(document.price)
  const forMember = usePaysMember(document)
  if (!useMayDownload(document)) {
    return (
      <>
        {sellsRest && (
          <Suspense>
            <BuyToRead document={document} />
          </Suspense>
        )}
        <p className="text-sm text-muted">作者只允许在线阅读，这份文档不能下载</p>
      </>
    )
  }
  return (
    <>
      <DownloadButton document={document} size={size}>
        <Label document={document}>{`下载文档（${price}）`}</Label>
      </DownloadButton>
      {forMember && (
        <Suspense>
          <MemberShortfall document={document} />
        </Suspense>
      )}
    </>
  )
}

interface DocumentDownloadProps {
  document: PricedDocument
  size?: 'md' | 'lg'
  /** Pages are withheld that are read online once they are paid for. */
  sellsRest?: boolean
}

/** For the toolbar: of a document that is not free, narrow screens show the price alone. There is no room for money. */
export function ToolbarDownload({ document }: { document: PricedDocument }) {
  const creditName = useCreditName()
  const isFree = document.price === 0
  if (!useMayDownload(document)) return null
  return (
    <DownloadButton document={document} size="sm">
      <Label document={document} isShort>
        <span className={isFree ? '' : 'max-md:sr-only'}>下载</span>
        {!isFree && <span>{`${document.price} ${creditName}`}</span>}
      </Label>
    </DownloadButton>
  )
}

/** What it costs this member: bought, own, with a card. Visitors see the price. */
function Label({ document, isShort = false, children }: LabelProps) {
  if (!usePaysMember(document)) return children
  return (
    <Suspense fallback={children}>
      <MemberDownloadLabel document={document} isShort={isShort}>
        {children}
      </MemberDownloadLabel>
    </Suspense>
  )
}

interface LabelProps {
  document: PricedDocument
  isShort?: boolean
  children: ReactNode
}

function usePaysMember({ price }: PricedDocument): boolean {
  return isSignedIn(useSession()) && price > 0
}

/** Its owner and the staff download also what others can only read. */
function useMayDownload({ downloadable, user_id }: PricedDocument): boolean {
  const session = useSession()
  return downloadable || session.user.id === user_id || hasPermission(session, 'DocumentAPI/GetDocument')
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
  const signedIn = isSignedIn(useSession())
  // Asked for before the login: goes on where it stopped.
  useIntent(signedIn, 'download', document.id, () => setOpen(true))
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
