import type { Route } from './+types/home.ts'
import { ContinueReading } from '#web/features/documents/home/continue-reading.tsx'
import { Featured } from '#web/features/documents/home/featured.tsx'
import { LatestUpdates, Newest } from '#web/features/documents/home/newest.tsx'
import { BeingRead, RankingColumn } from '#web/features/documents/home/popular.tsx'
import { Recommended } from '#web/features/documents/home/recommended.tsx'
import { CategorySections } from '#web/features/documents/home/category-sections.tsx'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { ArticleColumn, DatedArticles } from '#web/features/site/home/articles.tsx'
import { Carousel } from '#web/features/site/home/carousel.tsx'
import { CategoryBlocks } from '#web/features/site/home/category-blocks.tsx'
import { Counts } from '#web/features/site/home/counts.tsx'
import { HomeHero } from '#web/features/site/home/hero.tsx'
import { HotCategories } from '#web/features/site/home/hot-categories.tsx'
import { Masthead } from '#web/features/site/home/masthead.tsx'
import { homeMeta } from '#web/features/site/home/home-meta.ts'
import { ActiveAuthors } from '#web/features/site/home/active-authors.tsx'
import { HomeTopics } from '#web/features/site/home/topics.tsx'
import { AccountCard } from '#web/features/site/home/account-card.tsx'
import { QuickLinks } from '#web/features/site/home/quick-links.tsx'
import { Page } from '#web/ui/page.tsx'
import { load } from '#web/lib/load.ts'
import { useInvitations } from '#web/domain/contributions.ts'
import { useSite } from '#web/domain/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { DocumentIllustration } from '#web/features/documents/home/document-illustration.tsx'

// Loaded by the server with the first page: the browser needs this code only for the next one.
const page = load(async (args) => {
  const [{ loadHome }, { loadHomeArticles }] = await Promise.all([
    import('#web/features/site/home/load-home.ts'),
    import('#web/features/site/home/load-articles.ts'),
  ])
  const [home, articles] = await Promise.all([loadHome(args), loadHomeArticles(args)])
  return { ...home, articles }
})
export const loader = page.server
export const clientLoader = page.client

export default function Home({ loaderData }: Route.ComponentProps) {
  const { home_version } = useSite().settings.display
  return home_version === 'v2' ? <Magazine {...loaderData} /> : <Classic {...loaderData} />
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return homeMeta(matches[0].loaderData, { image: loaderData?.banners.at(0)?.path ?? '' })
}

type Loaded = Route.ComponentProps['loaderData']

/** Version 1: a large search box, then the documents by category. */
function Classic(loaded: Loaded) {
  const { counts, hot, banners, recommended, newest, articles, sections, ads, now } = loaded
  const categories = useIndexCategories()
  const hasAside = banners.length > 0 || articles.length > 0 || loaded.ranked.length > 0
  return (
    <>
      <HomeHero counts={counts} hot={hot} banners={banners} />
      <Page>
        <div className="not-empty:mb-6">
          <AdSlot position="index_banner_bottom" ads={ads} />
        </div>
        <HomeTopics topics={loaded.topics} />
        <div className={cx('grid gap-10', hasAside && 'lg:grid-cols-[minmax(0,1fr)_19rem]')}>
          <div className="min-w-0 space-y-10">
            {recommended.length > 0 && <Recommended documents={recommended} hasAside={hasAside} />}
            <BeingRead documents={loaded.beingRead} />
            {newest.length > 0 && <Newest documents={newest} now={now} />}
            {newest.length === 0 && <NoDocuments />}
          </div>
          {hasAside && (
            <div className="min-w-0 space-y-6">
              {banners.length > 0 && (
                <AccountCard className="bg-surface">
                  <Counts counts={counts} className="mt-4" />
                </AccountCard>
              )}
              <RankingColumn documents={loaded.ranked} />
              <ArticleColumn articles={articles} now={now} />
            </div>
          )}
        </div>
        <ActiveAuthors {...loaded.authors} />
        <AdSlot position="index_category_top" ads={ads} />
        {categories.length > 0 && <CategoryBlocks categories={categories} />}
        <CategorySections sections={sections} variant="cards" />
        <AdSlot position="index_category_bottom" ads={ads} />
        <AdSlot position="index_link_top" ads={ads} />
      </Page>
    </>
  )
}

/** Version 2: featured documents, with a side column. */
function Magazine(loaded: Loaded) {
  const { counts, hot, banners, recommended, newest, articles, sections, ads, now } = loaded
  const categories = useIndexCategories()
  return (
    <>
      <Masthead hot={hot} />
      <Page>
        <ContinueReading className="mb-10" />
        <HomeTopics topics={loaded.topics} />
        <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_19rem]">
          <div className="min-w-0">
            {banners.length > 0 && (
              <Carousel slides={banners} className="mb-10 h-[180px] rounded-lg md:h-[300px]" pictures="rounded-lg" />
            )}
            <div className="not-empty:mb-6">
              <AdSlot position="index_banner_bottom" ads={ads} />
            </div>
            <div className="space-y-10">
              <Featured documents={recommended} />
              <BeingRead documents={loaded.beingRead} />
            </div>
            {newest.length === 0 && <NoDocuments />}
            <AdSlot position="index_category_top" ads={ads} />
            {categories.length > 0 && <HotCategories categories={categories} />}
          </div>
          <div className="min-w-0 space-y-6">
            <AccountCard className="bg-surface">
              <Counts counts={counts} className="mt-4" />
            </AccountCard>
            <LatestUpdates documents={newest} now={now} />
            <RankingColumn documents={loaded.ranked} />
            <QuickLinks />
          </div>
        </div>
        <ActiveAuthors {...loaded.authors} />
        <DatedArticles articles={articles} />
        <CategorySections sections={sections} variant="columns" />
        <AdSlot position="index_category_bottom" ads={ads} />
        <AdSlot position="index_link_top" ads={ads} />
      </Page>
    </>
  )
}

/** The root categories, if the settings show them. */
function useIndexCategories() {
  const { documentCategories, settings } = useSite()
  return settings.display.show_index_categories ? documentCategories : []
}

function NoDocuments() {
  const { upload } = useInvitations()
  return (
    <EmptyState
      title="书架还空着"
      drawing={<DocumentIllustration />}
      action={
        upload && (
          <ButtonLink to="/upload" variant="primary">
            上传第一份文档
          </ButtonLink>
        )
      }
    >
      {upload ? '还没有人上传文档。您的第一份，会出现在这里。' : '还没有文档。上传的文档会出现在这里。'}
    </EmptyState>
  )
}
