import { Link } from 'react-router'
import type { CoverTile } from '#web/features/documents/browse/document-summary.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { CoverGrid, coverClass } from '#web/features/documents/browse/cover-grid.tsx'
import { Heading, Section } from '#web/features/documents/home/section.tsx'
import { lineClass, TitleLines } from '#web/features/documents/home/title-lines.tsx'
import { documentPath } from '#web/domain/paths.ts'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

export interface CategorySection {
  id: number
  name: string
  cover: string
  documents: CoverTile[]
}

/** The newest documents of each category, as cards or as columns; a setting shows covers instead. */
export function CategorySections({ sections, variant }: { sections: CategorySection[]; variant: 'cards' | 'columns' }) {
  const { index_document_style } = useSite().settings.display
  if (sections.length === 0) return null
  if (index_document_style === 'list') return <CoverRows sections={sections} variant={variant} />
  const { grid, section: sectionClass } = variants[variant]
  return (
    <div className={cx('mt-10 grid grid-cols-1 md:grid-cols-2', grid, lineClass, containerClass)}>
      {sections.map((section) => (
        <section key={section.id} aria-label={section.name} className={sectionClass}>
          <Heading title={section.name} more={`/category/${section.id}`} />
          <div className="mt-3 flex gap-5">
            <CategoryPicture section={section} />
            <TitleLines className="min-w-0 flex-1" lines={section.documents} />
          </div>
        </section>
      ))}
    </div>
  )
}

const variants = {
  cards: { grid: 'gap-4 md:gap-6', section: 'rounded-lg border border-line bg-surface p-5' },
  columns: { grid: 'gap-x-10 gap-y-10', section: 'border-t-2 border-ink pt-3' },
}

/** The covers of the newest documents of each category. */
function CoverRows({ sections, variant }: { sections: CategorySection[]; variant: 'cards' | 'columns' }) {
  return (
    <div className={coverClass}>
      {sections.map((section) => (
        <Section key={section.id} title={section.name} more={`/category/${section.id}`} className="mt-10">
          <CoverGrid
            documents={section.documents}
            className={variant === 'cards' ? 'grid-cols-4 lg:grid-cols-8' : 'grid-cols-3 sm:grid-cols-6'}
          />
        </Section>
      ))}
    </div>
  )
}

/** A category without a picture shows the cover of its newest document. */
function CategoryPicture({ section: { id, cover, documents } }: { section: CategorySection }) {
  const [newest] = documents
  return (
    <Link
      to={newest && cover === '' ? documentPath(newest) : `/category/${id}`}
      discover="none"
      tabIndex={-1}
      aria-hidden
    >
      {cover ? (
        <img src={cover} alt="" width={210} height={297} loading="lazy" />
      ) : (
        newest && <Cover document={newest} />
      )}
    </Link>
  )
}

/** On the container rather than on each section, which keeps the HTML small. */
const containerClass = cx(
  '[&_section>div>a]:w-28 [&_section>div>a]:shrink-0 [&_section>div>a]:self-start [&_section>div>a]:max-sm:hidden',
  '[&_a>img]:aspect-210/297 [&_a>img]:w-full [&_a>img]:rounded-sm [&_a>img]:border [&_a>img]:border-line [&_a>img]:bg-[#fff] [&_a>img]:object-contain',
)
