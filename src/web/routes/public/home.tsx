import type { Route } from './+types/home.ts'
import { AdSlot } from '#web/features/site/ad-slot.tsx'
import { CategoryBlocks } from '#web/features/site/category-blocks.tsx'
import { Newest, Recommended, ShelfCards, ShelfRows } from '#web/features/documents/browse/home-documents.tsx'
import { HomeArticles } from '#web/features/site/home-articles.tsx'
import { HomeHero } from '#web/features/site/home-hero.tsx'
import { Page } from '#web/features/site/page.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSite } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SheetRow } from '#web/ui/sheets.tsx'

// The server brings it with the page, so the browser seldom needs the means to ask for it.
const page = load(async (given) => {
  const [{ loadHome }, { loadHomeArticles }] = await Promise.all([
    import('#web/features/documents/browse/home-load.ts'),
    import('#web/features/site/home-articles-load.ts'),
  ])
  const [home, articles] = await Promise.all([loadHome(given), loadHomeArticles(given)])
  return { ...home, articles }
})
export const loader = page.server
export const clientLoader = page.client

export default function Home({ loaderData }: Route.ComponentProps) {
  const { display } = useSite().settings
  const { figures, ads } = loaderData
  return (
    <>
      <HomeHero figures={figures} />
      <Page>
        <AdSlot position="index_banner_bottom" ads={ads} />
        {display.home_version === 'v2' ? <Magazine {...loaderData} /> : <Classic {...loaderData} />}
        {figures.document_count === 0 && <NoDocuments />}
        <AdSlot position="index_link_top" ads={ads} />
      </Page>
    </>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData)
}

type Loaded = Route.ComponentProps['loaderData']

function Classic({ recommended, newest, articles, shelves, ads, now }: Loaded) {
  return (
    <>
      <Recommended documents={recommended} />
      <Newest documents={newest} now={now} columns={2} />
      <HomeArticles articles={articles} now={now} />
      <Categories ads={ads} />
      <Shelves shelves={shelves} />
    </>
  )
}

/** What is new beside what is good. */
function Magazine({ recommended, newest, articles, shelves, ads, now }: Loaded) {
  return (
    <>
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="min-w-0">
          <Recommended documents={recommended} />
        </div>
        <aside className="min-w-0">
          <Newest documents={newest} now={now} columns={1} />
        </aside>
      </div>
      <HomeArticles articles={articles} now={now} />
      <Shelves shelves={shelves} />
      <Categories ads={ads} />
    </>
  )
}

function Shelves({ shelves }: Pick<Loaded, 'shelves'>) {
  const { index_document_style } = useSite().settings.display
  return index_document_style === 'list' ? <ShelfRows shelves={shelves} /> : <ShelfCards shelves={shelves} />
}

function Categories({ ads }: Pick<Loaded, 'ads'>) {
  const { documentCategories, settings } = useSite()
  if (!settings.display.show_index_categories || documentCategories.length === 0) return null
  return (
    <section aria-label="分类" className="mt-10 first:mt-0">
      <AdSlot position="index_category_top" ads={ads} />
      <h2 className="mb-4 text-xl">按分类浏览</h2>
      <CategoryBlocks categories={documentCategories} />
      <AdSlot position="index_category_bottom" ads={ads} />
    </section>
  )
}

function NoDocuments() {
  return (
    <EmptyState
      title="书架还空着"
      drawing={<SheetRow marks={kinds} />}
      action={
        <ButtonLink to="/upload" look="primary">
          上传第一份文档
        </ButtonLink>
      }
    >
      还没有人上传文档。您的第一份，会出现在这里。
    </EmptyState>
  )
}

const kinds = [
  { label: 'PDF', color: 'var(--kind-pdf)' },
  { label: 'Word', color: 'var(--kind-word)' },
  { label: 'PPT', color: 'var(--kind-ppt)' },
  { label: 'Excel', color: 'var(--kind-excel)' },
  { label: 'TXT', color: 'var(--kind-text)' },
  { label: 'EPUB', color: 'var(--kind-ebook)' },
]
