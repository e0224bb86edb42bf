import type { CoverTile } from '#web/features/documents/browse/document-summary.ts'
import { CoverGrid, coverClass } from '#web/features/documents/browse/cover-grid.tsx'
import { Section } from '#web/features/documents/home/section.tsx'
import { cx } from '#web/ui/class-names.ts'

/** Recommended documents; beside another column there is less space. A phone shows nine. */
export function Recommended({ documents, hasAside }: { documents: CoverTile[]; hasAside: boolean }) {
  return (
    <Section
      title="推荐阅读"
      more="/category?sort=recommend"
      className={cx(coverClass, '[&_li:nth-child(n+10)]:max-sm:hidden')}
    >
      <CoverGrid
        hasTips
        documents={documents}
        className={hasAside ? 'grid-cols-3 sm:grid-cols-4 md:grid-cols-6 lg:grid-cols-4 xl:grid-cols-6' : sixInRow}
      />
    </Section>
  )
}

const sixInRow = 'grid-cols-3 sm:grid-cols-4 md:grid-cols-6'
