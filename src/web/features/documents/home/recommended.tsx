import type { Tile } from '#web/features/documents/browse/listed.ts'
import { CoverGrid, coverLooks } from '#web/features/documents/browse/cover-grid.tsx'
import { Section } from '#web/features/documents/home/section.tsx'

/** What the site recommends; `isBeside` something else, it has less room. */
export function Recommended({ documents, isBeside }: { documents: Tile[]; isBeside: boolean }) {
  return (
    <Section title="推荐阅读" more="/category?sort=recommend" className={coverLooks}>
      <CoverGrid
        hasTips
        documents={documents}
        className={isBeside ? 'grid-cols-3 sm:grid-cols-4 md:grid-cols-6 lg:grid-cols-4 xl:grid-cols-6' : sixInRow}
      />
    </Section>
  )
}

const sixInRow = 'grid-cols-3 sm:grid-cols-4 md:grid-cols-6'
