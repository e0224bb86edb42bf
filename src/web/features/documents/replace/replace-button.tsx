import { RefreshCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import { type DocumentStatus, whyUnreplaceable } from '#shared/document-status.ts'
import { canUpload } from '#web/domain/contributions.ts'
import { useSession } from '#web/lib/session.ts'
import { Button } from '#web/ui/button.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'
import { toast } from '#web/ui/overlay/toast.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const ReplaceDialog = lazyOverlay(
  async () => (await import('#web/features/documents/replace/replace-dialog.tsx')).ReplaceDialog,
)

interface ReplaceButtonProps {
  document: { id: number; title: string; ext: string; size: number; status: DocumentStatus }
  onReplaced: () => void
  /** In a list, where the title says which document is meant. */
  isListed?: boolean
}

/** For owners and staff who may upload. Where the server would refuse a new file, the button says why. */
export function ReplaceButton({ document, onReplaced, isListed = false }: ReplaceButtonProps) {
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  const why = whyUnreplaceable(document)
  if (!canUpload(useSession())) return null
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        title={why}
        onClick={() => (why ? toast(why, 'danger') : setOpen(true))}
        {...(isListed && { 'aria-label': `替换文件：${document.title}` })}
      >
        {!isListed && <RefreshCw size={15} aria-hidden />}
        替换文件
      </Button>
      {isMounted && (
        <Suspense>
          <ReplaceDialog document={document} open={open} onOpenChange={setOpen} onReplaced={onReplaced} />
        </Suspense>
      )}
    </>
  )
}
