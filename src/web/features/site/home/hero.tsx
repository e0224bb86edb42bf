import { ContentType } from '#shared/enums.ts'
import { Carousel, type Slide } from '#web/features/site/home/carousel.tsx'
import { Counts, type SiteCounts } from '#web/features/site/home/counts.tsx'
import { HotWords } from '#web/features/site/home/hot-words.tsx'
import { AccountCard } from '#web/features/site/home/account-card.tsx'
import { frameBesideBar } from '#web/ui/page.tsx'
import { SearchBox } from '#web/features/search/box/search-box.tsx'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

interface HomeHeroProps {
  counts: SiteCounts
  hot: string[]
  banners: Slide[]
}

/** The large search box, over the banners if there are any. */
export function HomeHero({ counts, hot, banners }: HomeHeroProps) {
  return banners.length > 0 ? <BannerHero hot={hot} banners={banners} /> : <PlainHero counts={counts} hot={hot} />
}

function BannerHero({ hot, banners }: Omit<HomeHeroProps, 'counts'>) {
  const { sitename } = useSite().settings.system
  return (
    <>
      <h1 className="sr-only">{sitename || '文豆'}</h1>
      <Carousel slides={banners} className="h-[250px] md:h-[420px]">
        <div className="pointer-events-none absolute inset-0 flex items-center bg-[#000]/20 px-4 md:px-20">
          <div className="pointer-events-auto mx-auto w-full max-w-2xl">
            <SearchBox size="lg" type={ContentType.Document} />
            <HotWords words={hot} variant="tags" />
          </div>
        </div>
      </Carousel>
    </>
  )
}

function PlainHero({ counts, hot }: Omit<HomeHeroProps, 'banners'>) {
  const { system } = useSite().settings
  return (
    <section aria-label="搜索" className="border-b border-line bg-surface">
      <div className={cx(frameBesideBar, 'grid gap-10 py-10 md:py-16 lg:grid-cols-[1fr_19rem] lg:gap-16')}>
        <div className="min-w-0">
          <h1 className="font-display text-3xl leading-tight font-bold tracking-wide md:text-5xl md:leading-tight">
            找一份文档，
            <br className="sm:hidden" />
            安静地读完。
          </h1>
          {system.description && <p className="mt-4 max-w-xl text-base text-muted md:text-lg">{system.description}</p>}
          <div className="mt-7 max-w-2xl md:mt-9">
            <SearchBox size="lg" type={ContentType.Document} />
          </div>
          <HotWords words={hot} variant="links" />
          <Counts counts={counts} className="mt-8 gap-8 text-2xl md:mt-10 md:gap-12" />
        </div>
        <AccountCard className="self-center bg-canvas" />
      </div>
    </section>
  )
}
