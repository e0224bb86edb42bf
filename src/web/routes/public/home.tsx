import type { Route } from './+types/home.ts'
import { friendlinks } from '#shared/contract/site.ts'
import { stats } from '#shared/contract/system.ts'
import { AdSlot } from '#web/features/site/ad-slot.tsx'
import { CategoryBlocks } from '#web/features/site/category-blocks.tsx'
import { HomeHero } from '#web/features/site/home-hero.tsx'
import { Page } from '#web/features/site/page.tsx'
import { loadAds } from '#web/lib/load-site.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSite } from '#web/lib/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SheetRow } from '#web/ui/sheets.tsx'

const page = load(async ({ api }) => {
  const [figures, friends, ads] = await Promise.all([
    api(stats.get),
    api(friendlinks.list, { enable: [true], field: ['id', 'title', 'link'] }),
    loadAds(api, ['index_banner_bottom', 'index_category_top', 'index_category_bottom', 'index_link_top']),
  ])
  return { figures, ads, friends: friends.friendlink.map(({ id, title, link }) => ({ id, title, link })) }
})
export const loader = page.server
export const clientLoader = page.client

export default function Home({ loaderData: { figures, ads } }: Route.ComponentProps) {
  const { documentCategories, settings } = useSite()
  return (
    <>
      <HomeHero figures={figures} />
      <Page>
        <AdSlot position="index_banner_bottom" ads={ads} />
        {settings.display.show_index_categories && documentCategories.length > 0 && (
          <section aria-label="分类">
            <AdSlot position="index_category_top" ads={ads} />
            <h2 className="mb-4 text-xl">按分类浏览</h2>
            <CategoryBlocks categories={documentCategories} />
            <AdSlot position="index_category_bottom" ads={ads} />
          </section>
        )}
        {figures.document_count === 0 && (
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
        )}
        <AdSlot position="index_link_top" ads={ads} />
      </Page>
    </>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData)
}

const kinds = [
  { label: 'PDF', color: 'var(--kind-pdf)' },
  { label: 'Word', color: 'var(--kind-word)' },
  { label: 'PPT', color: 'var(--kind-ppt)' },
  { label: 'Excel', color: 'var(--kind-excel)' },
  { label: 'TXT', color: 'var(--kind-text)' },
  { label: 'EPUB', color: 'var(--kind-ebook)' },
]
