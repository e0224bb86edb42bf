import { LayoutGrid, List } from 'lucide-react'
import { Link } from 'react-router'
import { documentKinds, kindOf } from '#shared/document-kinds.ts'
import type { Tile } from '#web/features/documents/browse/listed.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { Section } from '#web/features/documents/home/section.tsx'
import { useHomeView, type HomeView } from '#web/features/documents/home/view.ts'
import { kindColor } from '#web/features/documents/kind-color.ts'
import { documentPath } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'

/** The first ones are told of in a few words. */
export interface Feature extends Tile {
  description: string
}

/** What the site recommends, as a magazine opens: two large, the others by their covers; or all of them in lines. */
export function Featured({ documents }: { documents: Feature[] }) {
  const { view, choose } = useHomeView()
  const { show_document_descriptions } = useSite().settings.display
  if (documents.length === 0) return null
  return (
    <Section title="精选推荐" more="/category?sort=recommend" aside={<Toggle view={view} choose={choose} />}>
      <ul className={view === 'grid' ? gridLooks : listLooks}>
        {documents.map((document, place) => (
          <li key={document.uuid} data-lead={place < leads ? '' : undefined}>
            <Link discover="none" to={documentPath(document)}>
              {document.cover === '' ? (
                <Cover document={document} />
              ) : (
                <img src={document.cover} alt="" width={210} height={297} loading="lazy" />
              )}
              <div>
                <b>{document.title}</b>
                {show_document_descriptions && document.description !== '' && <p>{document.description}</p>}
                <small>
                  <i style={{ color: kindColor(document.ext) }}>{documentKinds[kindOf(document.ext)].label}</i>
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

const leads = 2

function Toggle({ view, choose }: { view: HomeView; choose: (view: HomeView) => void }) {
  return (
    <fieldset aria-label="显示方式" className="inline-flex rounded-md border border-line bg-surface p-0.5">
      {ways.map(({ way, title, Icon }) => (
        <button
          key={way}
          type="button"
          aria-label={title}
          title={title}
          aria-pressed={view === way}
          onClick={() => choose(way)}
          className={cx(
            'flex h-7 w-8 items-center justify-center rounded-sm',
            view === way ? 'bg-sunken text-ink' : 'text-muted hover:text-ink',
          )}
        >
          <Icon size={16} aria-hidden />
        </button>
      ))}
    </fieldset>
  )
}

const ways = [
  { way: 'grid', title: '网格', Icon: LayoutGrid },
  { way: 'list', title: '列表', Icon: List },
] as const

/** On the list, not on each of its items: no word is sent in vain. */
const bothLooks = cx(
  'grid [&_a]:hover:text-accent [&_b]:leading-snug [&_p]:text-sm [&_p]:text-muted',
  '[&_small]:flex [&_small]:items-center [&_small]:gap-2 [&_small]:text-xs [&_small]:text-muted',
  '[&_i]:rounded-sm [&_i]:border [&_i]:border-current [&_i]:px-1 [&_i]:leading-4 [&_i]:font-semibold [&_i]:not-italic',
  '[&_img]:aspect-210/297 [&_img]:w-full [&_img]:rounded-sm [&_img]:border [&_img]:border-line [&_img]:bg-[#fff] [&_img]:object-contain',
)

const gridLooks = cx(
  bothLooks,
  'grid-cols-3 gap-x-3 gap-y-6 sm:gap-x-5 md:grid-cols-6',
  '[&_a]:block [&_b]:mt-2 [&_b]:line-clamp-2 [&_b]:text-sm [&_b]:font-normal [&_small]:mt-1.5',
  '[&>[data-lead]]:col-span-3 [&>[data-lead]>a]:flex [&>[data-lead]>a]:gap-4 [&>[data-lead]>a>*:first-child]:w-32 [&>[data-lead]>a>*:first-child]:shrink-0 [&>[data-lead]>a>*:first-child]:self-start [&>[data-lead]>a>div]:min-w-0',
  '[&>[data-lead]_b]:mt-1 [&>[data-lead]_b]:line-clamp-3 [&>[data-lead]_b]:text-lg [&>[data-lead]_b]:font-semibold [&>[data-lead]_p]:mt-2 [&>[data-lead]_p]:line-clamp-3 [&>[data-lead]_small]:mt-3',
)

const listLooks = cx(
  bothLooks,
  'grid-cols-1 gap-x-10 sm:grid-cols-2 [&>li]:min-w-0 [&>li]:border-t [&>li]:border-line [&>li]:py-3',
  '[&_a]:flex [&_a]:items-center [&_a]:gap-3 [&_a>*:first-child]:w-11 [&_a>*:first-child]:shrink-0 [&_a>div]:min-w-0 [&_b]:line-clamp-1 [&_b]:font-medium [&_p]:line-clamp-1 [&_small]:mt-1',
)
