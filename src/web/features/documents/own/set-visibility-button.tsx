import { Suspense, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'
import { useLazyMount } from '#web/ui/overlay/lazy-mount.ts'

const SetVisibilityDialog = lazyOverlay(
  async () => (await import('#web/features/documents/visibility/set-visibility-dialog.tsx')).SetVisibilityDialog,
)

/** For the documents that are selected. */
export function SetVisibilityButton({ ids, onChanged }: { ids: readonly number[]; onChanged: () => void }) {
  const [open, setOpen] = useState(false)
  const isMounted = useLazyMount(open)
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        修改可见范围
      </Button>
      {isMounted && (
        <Suspense>
          <SetVisibilityDialog ids={ids} open={open} onOpenChange={setOpen} onChanged={onChanged} />
        </Suspense>
      )}
    </>
  )
}
