import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Document } from '#shared/contract/documents.ts'
import { formatSize } from '#shared/format.ts'
import type { PublicSettings } from '#shared/contract/settings.ts'
import { isFreeForVip, joinVipPath, sellsVip, useConcernsVip } from '#web/domain/orders.ts'
import { documentPath } from '#web/domain/paths.ts'
import { useSite } from '#web/domain/site.ts'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'
import { VisibilityBadges } from '#web/features/documents/visibility/visibility-badges.tsx'
import { Stars } from '#web/features/documents/stars.tsx'
import { useHydrated } from '#web/lib/browser/hydrated.ts'
import { paidReadingWords } from '#web/features/documents/download/paid-reading.ts'
import { PriceWord } from '#web/features/documents/download/price-word.tsx'

type HeadDocument = Pick<
  Document,
  | 'uuid'
  | 'user_id'
  | 'title'
  | 'ext'
  | 'size'
  | 'pages'
  | 'preview'
  | 'price'
  | 'is_vip'
  | 'score'
  | 'score_count'
  | 'view_count'
  | 'download_count'
  | 'recommend_at'
  | 'created_at'
  | 'visibility'
  | 'downloadable'
>

interface DocumentHeadProps {
  document: HeadDocument
  actions: ReactNode
}

/** Title, price, counts and rating. */
export function DocumentHead({ document, actions }: DocumentHeadProps) {
  const { settings } = useSite()
  const hasVip = useConcernsVip()
  const forPaying = paidReadingWords(document, document, settings)
  const isHydrated = useHydrated()
  const { title, ext, price, score, score_count, recommend_at } = document
  return (
    <header>
      <div className="flex items-start gap-3">
        <span className="mt-0.5 print:hidden">
          <KindIcon ext={ext} size={30} />
        </span>
        <h1 className="min-w-0 flex-1 font-title text-xl leading-snug md:text-2xl">
          {title}
          <span className="ml-2 inline-flex gap-1.5 align-[0.15em] font-sans print:hidden">
            {recommend_at !== null && <Badge className="bg-warning-soft text-warning">推荐</Badge>}
            <Badge className="bg-accent-soft text-accent">
              <PriceWord document={document} />
            </Badge>
            {price > 0 && hasVip && isFreeForVip(document, settings) && (
              <Badge className="bg-warning-soft text-warning">
                {sellsVip(settings) ? (
                  <Link to={joinVipPath} className="hover:underline">
                    VIP 免费
                  </Link>
                ) : (
                  'VIP 免费'
                )}
              </Badge>
            )}
            <VisibilityBadges document={document} />
          </span>
        </h1>
      </div>
      {isHydrated && (
        <p className="hidden text-sm break-all print:block">{window.location.origin + documentPath(document)}</p>
      )}
      <div className="mt-2 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1.5 text-sm text-muted tabular-nums print:hidden">
        {factsOf(document, settings.display).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        {forPaying && <span className="text-accent">{forPaying}</span>}
        <UploadDate at={document.created_at} />
        {score_count > 0 && (
          <span className="inline-flex items-center gap-1.5">
            <Stars score={score} />
            {(score / 100).toFixed(1)}（{score_count} 人）
          </span>
        )}
      </div>
      <div className="action-row mt-1 flex min-h-8 items-center md:-ml-3 md:flex-wrap md:gap-x-1 print:hidden">
        {actions}
      </div>
    </header>
  )
}

function Badge({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span className={`rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${className}`}>{children}</span>
  )
}

/** The first page is formatted by the server, whose time zone may differ from the browser's. */
function UploadDate({ at }: { at: number | null }) {
  if (at === null) return null
  const date = new Date(at)
  return (
    <time dateTime={date.toISOString()} suppressHydrationWarning>
      {date.getFullYear()}-{String(date.getMonth() + 1).padStart(2, '0')}-{String(date.getDate()).padStart(2, '0')} 上传
    </time>
  )
}

function factsOf(document: HeadDocument, display: PublicSettings['display']): string[] {
  const { size, pages, view_count, download_count } = document
  return [
    formatSize(size),
    pages > 0 && `${pages} 页`,
    display.show_document_view_count && `${view_count} 次浏览`,
    display.show_document_download_count && `${download_count} 次下载`,
  ].filter((fact) => fact !== false)
}
