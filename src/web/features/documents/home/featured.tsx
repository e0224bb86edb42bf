import { LayoutGrid, List } from 'lucide-react'
import { Link } from 'react-router'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import type { CoverTile } from '#web/features/documents/browse/document-summary.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { Section } from '#web/features/documents/home/section.tsx'
import { useHomeView, type HomeView } from '#web/features/documents/home/home-view.ts'
import { kindColor } from '#web/domain/kind-color.ts'
import { documentPath } from '#web/domain/paths.ts'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { HoldFirstPaint } from '#web/ui/hold-first-paint.tsx'

/** The first ones have a description. */
export interface FeaturedDocument extends CoverTile {
  description: string
}

/** Recommended documents: as a grid with two large ones, or as a list. */
export function Featured({ documents }: { documents: FeaturedDocument[] }) {
  const { view, choose } = useHomeView()
  const { show_document_descriptions } = useSite().settings.display
  if (documents.length === 0) return null
  return (
    <Section title="精选推荐" more="/category?sort=recommend" aside={<Toggle view={view} choose={choose} />}>
      {/* On a tablet this is where the first screen ends. */}
      <HoldFirstPaint id="featured-heading-end" />
      <ul className={view === 'grid' ? gridClass : listClass}>
        {documents.map((document, index) => (
          <li key={document.uuid} data-lead={index < leadCount ? '' : undefined}>
            <Link discover="none" to={documentPath(document)}>
              <Cover document={document} />
              <div>
                <b className="font-title">{document.title}</b>
                {show_document_descriptions && document.description !== '' && <p>{document.description}</p>}
                <small>
                  <i style={{ color: kindColor(document.ext) }}>{documentKinds[getDocumentKind(document.ext)].label}</i>
                  {document.pages > 0 && `${document.pages} 页`}
                </small>
              </div>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  )
}

const leadCount = 2

function Toggle({ view, choose }: { view: HomeView; choose: (view: HomeView) => void }) {
  return (
    <fieldset aria-label="显示方式" className="inline-flex rounded-md border border-line bg-surface p-0.5">
      {options.map(({ value, title, Icon }) => (
        <button
          key={value}
          type="button"
          aria-label={title}
          title={title}
          aria-pressed={view === value}
          onClick={() => choose(value)}
          className={cx(
            'flex h-7 w-8 items-center justify-center rounded-sm',
            view === value ? 'bg-sunken text-ink' : 'text-muted hover:text-ink',
          )}
        >
          <Icon size={16} aria-hidden />
        </button>
      ))}
    </fieldset>
  )
}

const options = [
  { value: 'grid', title: '网格', Icon: LayoutGrid },
  { value: 'list', title: '列表', Icon: List },
] as const

/** On the list rather than on each item, which keeps the HTML small. */
const bothClass = cx(
  'grid [&_a]:hover:text-accent [&_div>b]:leading-snug [&_p]:text-sm [&_p]:text-muted',
  '[&_div>small]:flex [&_div>small]:items-center [&_div>small]:gap-2 [&_div>small]:text-xs [&_div>small]:text-muted',
  '[&_small>i]:rounded-sm [&_small>i]:border [&_small>i]:border-current [&_small>i]:px-1 [&_small>i]:leading-4 [&_small>i]:font-semibold [&_small>i]:not-italic',
)

const gridClass = cx(
  bothClass,
  'grid-cols-3 gap-x-3 gap-y-6 sm:gap-x-5 md:grid-cols-6',
  '[&_a]:block [&_div>b]:mt-2 [&_div>b]:line-clamp-2 [&_div>b]:text-sm [&_div>b]:font-normal [&_div>small]:mt-1.5',
  '[&>[data-lead]]:col-span-3 [&>[data-lead]>a]:flex [&>[data-lead]>a]:gap-4 [&>[data-lead]>a>*:first-child]:w-32 [&>[data-lead]>a>*:first-child]:shrink-0 [&>[data-lead]>a>*:first-child]:self-start [&>[data-lead]>a>div]:min-w-0',
  '[&>[data-lead]_div>b]:mt-1 [&>[data-lead]_div>b]:line-clamp-3 [&>[data-lead]_div>b]:text-lg [&>[data-lead]_div>b]:font-semibold [&>[data-lead]_p]:mt-2 [&>[data-lead]_p]:line-clamp-3 [&>[data-lead]_div>small]:mt-3',
)

const listClass = cx(
  bothClass,
  'grid-cols-1 gap-x-10 sm:grid-cols-2 [&>li]:min-w-0 [&>li]:border-t [&>li]:border-line [&>li]:py-3',
  '[&_a]:flex [&_a]:items-center [&_a]:gap-3 [&_a>*:first-child]:w-11 [&_a>*:first-child]:shrink-0 [&_a>div]:min-w-0 [&_div>b]:line-clamp-1 [&_div>b]:font-medium [&_p]:line-clamp-1 [&_div>small]:mt-1',
)
