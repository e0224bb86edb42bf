import { Suspense, useRef } from 'react'
import { Link } from 'react-router'
import type { Document } from '#shared/contract/documents.ts'
import { useLoginLink } from '#web/domain/login-link.ts'
import { useSite } from '#web/domain/site.ts'
import { paidReadingWords } from '#web/features/documents/download/paid-reading.ts'
import { DocumentDownload } from '#web/features/documents/download/download-button.tsx'
import { FavoriteAndReport, ShareDocument } from '#web/features/documents/page/document-actions.tsx'
import type { RelatedDocument } from '#web/features/documents/page/related-list.tsx'
import { useNear } from '#web/lib/browser/near.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'

// Loaded when the end comes near.
const Finished = lazyPart(
  async () => (await import('#web/features/documents/page/finished.tsx')).Finished,
  QuietFailure,
)
const ReadOnOncePaid = lazyPart<{ id: number; onPaid: () => void }>(
  async () => (await import('#web/features/documents/download/member-words.tsx')).ReadOnOncePaid,
  () => null,
)
const ScoreStars = lazyPart(async () => (await import('#web/features/documents/page/score-stars.tsx')).ScoreStars)

interface EndBlockProps {
  document: Pick<
    Document,
    | 'id'
    | 'uuid'
    | 'user_id'
    | 'title'
    | 'ext'
    | 'size'
    | 'price'
    | 'downloadable'
    | 'is_vip'
    | 'favorite_count'
    | 'cover'
    | 'pages'
    | 'visibility'
  >
  pages: number
  preview: number
  /** Shown below the last page, and not below a table, whose end is somewhere inside it. */
  isAtEnd: boolean
  /** What to read next; undefined for a reader with a share link. */
  related?: readonly RelatedDocument[]
  /** It was scored or paid for. */
  onChanged: () => void
}

/** Below the document: how much of the document lies beyond the preview, and what to do next. */
export function EndBlock({ document, pages, preview, isAtEnd, related, onChanged }: EndBlockProps) {
  const beyond = pages - preview
  const block = useRef<HTMLDivElement>(null)
  const isNear = useNear(block)
  const finished = (part: 'drawing' | 'mark' | 'next') =>
    isNear && (
      <Suspense>
        <Finished part={part} document={document} related={related ?? []} />
      </Suspense>
    )
  const forPaying = paidReadingWords(document, { pages, preview }, useSite().settings)
  const signedIn = isSignedIn(useSession())
  const isFinished = beyond <= 0 && isAtEnd
  return (
    <div
      ref={block}
      className="mt-2 flex flex-col items-center gap-4 rounded-lg border border-line bg-surface px-4 py-8 text-center"
    >
      {beyond > 0 ? (
        <div>
          <h2 className="text-lg">预览到此为止</h2>
          <p className="mt-1.5 text-muted tabular-nums">
            已预览 {preview} 页，还剩 {beyond} 页
            {forPaying ? `，${forPaying}` : document.downloadable ? '需下载后查看' : '不在预览范围内'}
          </p>
        </div>
      ) : (
        isFinished && (
          <div className="flex flex-col items-center">
            <div className="h-[88px]">{finished('drawing')}</div>
            <h2 className="mt-3 text-lg">读完了</h2>
            <p className="mt-1.5 text-muted tabular-nums">全文共 {pages} 页</p>
            <div className="mt-1 h-9">{finished('mark')}</div>
          </div>
        )
      )}
      <DocumentDownload document={document} size="lg" sellsRest={forPaying !== '' && document.price > 0} />
      {forPaying && signedIn && (
        <Suspense>
          <ReadOnOncePaid id={document.id} onPaid={onChanged} />
        </Suspense>
      )}
      <div className="flex flex-wrap justify-center gap-2">
        {related && <ShareDocument document={document} size="md" variant="plain" />}
        <FavoriteAndReport document={document} />
      </div>
      <Score document={document} onScored={onChanged} />
      {isFinished && related && related.length > 0 && <div className="min-h-[126px] w-full">{finished('next')}</div>}
    </div>
  )
}

function Score({ document, onScored }: Pick<EndBlockProps, 'document'> & { onScored: () => void }) {
  const session = useSession()
  const login = useLoginLink({ asked: 'score', id: document.id, why: `登录后即可给《${document.title}》评分` })
  if (!isSignedIn(session)) {
    return (
      <p data-for="guest" className="flex min-h-10 items-center text-sm text-muted">
        <Link {...login} className="text-accent hover:underline">
          登录
        </Link>
        后可以给这份文档评分
      </p>
    )
  }
  // Owners do not rate their own documents.
  if (session.user.id === document.user_id) return null
  return (
    <div className="flex min-h-10 items-center">
      <Suspense>
        <ScoreStars documentId={document.id} onScored={onScored} />
      </Suspense>
    </div>
  )
}
