import type { CoverTile } from '#web/features/documents/browse/document-summary.ts'
import { CoverGrid, coverClass } from '#web/features/documents/browse/cover-grid.tsx'
import { Section } from '#web/features/documents/home/section.tsx'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

export interface CategorySection {
  id: number
  name: string
  documents: CoverTile[]
}

/** The covers of the newest documents of each category: two categories in a row, or by a setting each over the full width. */
export function CategorySections({ sections, variant }: { sections: CategorySection[]; variant: 'cards' | 'columns' }) {
  const { index_document_style } = useSite().settings.display
  if (sections.length === 0) return null
  const { pair, section: sectionClass, covers } = variants[variant]
  const isList = index_document_style === 'list'
  return (
    <div className={cx('mt-10', coverClass, isList ? 'space-y-10' : cx('grid grid-cols-1 md:grid-cols-2', pair))}>
      {sections.map(({ id, name, documents }) => (
        <Section key={id} title={name} more={`/category/${id}`} className={isList ? '' : sectionClass}>
          <CoverGrid
            documents={documents}
            // On a phone four in a row would be too small.
            className={isList ? covers : 'grid-cols-3 sm:grid-cols-4 [&>li:nth-child(4)]:max-sm:hidden'}
          />
        </Section>
      ))}
    </div>
  )
}

const variants = {
  cards: {
    pair: 'gap-4 md:gap-6',
    section: 'rounded-lg border border-line bg-surface p-5',
    covers: 'grid-cols-4 lg:grid-cols-8',
  },
  columns: { pair: 'gap-x-10 gap-y-10', section: 'border-t-2 border-ink pt-3', covers: 'grid-cols-3 sm:grid-cols-6' },
}
