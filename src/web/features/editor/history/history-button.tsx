import { History } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Article } from '#shared/contract/articles.ts'
import { Button } from '#web/ui/button.tsx'
import { lazyOverlay } from '#web/ui/lazy-part.tsx'

const VersionHistory = lazyOverlay(
  async () => (await import('#web/features/editor/history/version-history.tsx')).VersionHistory,
)

export function HistoryButton({ article }: { article: Article }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="sm" onClick={() => setIsOpen(true)}>
        <History size={15} aria-hidden />
        历史版本
      </Button>
      {isOpen && (
        <Suspense>
          <VersionHistory article={article} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
