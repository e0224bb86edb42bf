import { Suspense, useState, type ReactNode } from 'react'
import type { Collection } from '#shared/contract/collections.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'

const CollectionFormDialog = lazyOverlay(
  async () => (await import('#web/features/collections/collection-form-dialog.tsx')).CollectionFormDialog,
)

interface FormButtonProps {
  /** Undefined for a new one. */
  collection?: Pick<Collection, 'id' | 'title' | 'description' | 'visibility'>
  variant?: 'primary' | 'plain'
  onSaved: (collection: Collection) => void
  children: ReactNode
}

/** Makes a collection, or changes its texts and visibility. */
export function FormButton({ collection, variant = 'plain', onSaved, children }: FormButtonProps) {
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  return (
    <>
      <Button size="sm" variant={variant} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {isMounted && (
        <Suspense>
          <CollectionFormDialog
            {...(collection && { collection })}
            open={open}
            onOpenChange={setOpen}
            onSaved={onSaved}
          />
        </Suspense>
      )}
    </>
  )
}
