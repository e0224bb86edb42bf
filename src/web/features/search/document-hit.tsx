import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { DocumentFacts } from '#web/features/documents/browse/document-facts.tsx'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'
import { hitPath, titlePath, type DocumentHitItem } from '#web/features/search/hits.ts'
import { useSite } from '#web/domain/site.ts'
import { MarkedText } from '#web/ui/marked-text.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'

interface DocumentHitProps {
  document: DocumentHitItem
  words: string
  /** When the list was loaded. */
  now: number
}

/** A document with the searched words highlighted, and a link to the page with the hit. */
export function DocumentHitRow({ document, words, now }: DocumentHitProps) {
  const { title, titleRanges, excerpt, ext, description, hitPage, hitPages } = document
  const { show_document_descriptions } = useSite().settings.display
  const text = excerpt.text || (show_document_descriptions ? description : '')
  return (
    <li className={rowClass}>
      <span className="pt-px">
        <KindIcon ext={ext} size={22} />
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="font-title text-base leading-snug">
          <span className="sr-only">{documentKinds[getDocumentKind(ext)].label} </span>
          <Link to={titlePath(document, words)} className="hover:text-accent">
            <MarkedText text={title} ranges={titleRanges} />
          </Link>
        </h2>
        {text !== '' && (
          <p className="mt-1.5 line-clamp-3 text-sm text-muted [&_mark]:text-ink">
            <MarkedText text={text} ranges={excerpt.text === '' ? [] : excerpt.ranges} />
          </p>
        )}
        {hitPage > 0 && (
          <Link
            to={hitPath(document, words)}
            className="mt-2 inline-flex min-h-8 items-center gap-1.5 rounded-md bg-accent-soft px-2.5 py-1 text-sm text-accent tabular-nums hover:underline"
          >
            <span className="font-medium">第 {hitPage} 页</span>
            {hitPages > 1 && <span>· 共 {hitPages} 页有结果</span>}
            <ArrowRight size={14} aria-hidden />
          </Link>
        )}
        <DocumentFacts document={document} now={now} />
      </div>
    </li>
  )
}

/** The placeholder of a hit. */
export function HitRowSkeleton() {
  return (
    <li className={rowClass}>
      <Skeleton className="size-5.5 shrink-0" />
      <span className="min-w-0 flex-1">
        <Skeleton className="h-5.5 w-3/5" />
        <Skeleton className="mt-2.5 h-4" />
        <Skeleton className="mt-1.5 h-4 w-4/5" />
        <Skeleton className="mt-3 h-7 w-36" />
        <Skeleton className="mt-3 h-4 w-2/3" />
      </span>
    </li>
  )
}

const rowClass = 'flex gap-3 py-5 first:pt-0'
