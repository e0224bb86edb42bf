import { lazy, Suspense, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { loginFor } from '#web/lib/guards.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'

const ScoreStars = lazy(async () => ({
  default: (await import('#web/features/documents/score-stars.tsx')).ScoreStars,
}))

interface EndBlockProps {
  document: { id: number; user_id: number }
  pages: number
  preview: number
  download: ReactNode
  /** What else one can do with it. */
  actions: ReactNode
  onScored: () => void
}

/** Where the pages end: honest about what lies beyond. */
export function EndBlock({ document, pages, preview, download, actions, onScored }: EndBlockProps) {
  const beyond = pages - preview
  return (
    <div className="mt-2 flex flex-col items-center gap-4 rounded-lg border border-line bg-surface px-4 py-8 text-center">
      {beyond > 0 ? (
        <div>
          <h2 className="text-lg">预览到此为止</h2>
          <p className="mt-1.5 text-muted tabular-nums">
            已预览 {preview} 页，还剩 {beyond} 页需下载后查看
          </p>
        </div>
      ) : (
        <div>
          <h2 className="text-lg">已读完</h2>
          <p className="mt-1.5 text-muted tabular-nums">全文共 {pages} 页</p>
        </div>
      )}
      {download}
      <div className="flex flex-wrap justify-center gap-2">{actions}</div>
      <Score document={document} onScored={onScored} />
    </div>
  )
}

function Score({ document, onScored }: Pick<EndBlockProps, 'document' | 'onScored'>) {
  const session = useSession()
  const location = useLocation()
  if (!isSignedIn(session)) {
    return (
      <p data-for="guest" className="flex min-h-10 items-center text-sm text-muted">
        <Link to={loginFor(location)} className="text-accent hover:underline">
          登录
        </Link>
        后可以给这份文档评分
      </p>
    )
  }
  // Nobody judges their own.
  if (session.user.id === document.user_id) return null
  return (
    <div className="flex min-h-10 items-center">
      <Suspense>
        <ScoreStars documentId={document.id} onScored={onScored} />
      </Suspense>
    </div>
  )
}
