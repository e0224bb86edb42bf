import { ContentType } from '#shared/enums.ts'
import { ContinueReading } from '#web/features/documents/home/continue-reading.tsx'
import { Carousel, type Slide } from '#web/features/site/home/carousel.tsx'
import { Counts, type SiteCounts } from '#web/features/site/home/counts.tsx'
import { HotWords } from '#web/features/site/home/hot-words.tsx'
import { AccountCard } from '#web/features/site/home/account-card.tsx'
import { frame, frameBesideBar } from '#web/ui/page.tsx'
import { SearchBox } from '#web/features/search/box/search-box.tsx'
import { useSite } from '#web/domain/site.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { cx } from '#web/ui/class-names.ts'

interface HomeHeroProps {
  counts: SiteCounts
  hot: string[]
  banners: Slide[]
}

/**
 * The large search box, over the banners if there are any. Members find a small one, and what they are reading right below;
 * `data-member` of first-paint.ts says who they are before hydration.
 */
export function HomeHero({ counts, hot, banners }: HomeHeroProps) {
  return banners.length > 0 ? <BannerHero hot={hot} banners={banners} /> : <PlainHero counts={counts} hot={hot} />
}

function BannerHero({ hot, banners }: Omit<HomeHeroProps, 'counts'>) {
  const { sitename } = useSite().settings.system
  const isMember = isSignedIn(useSession())
  return (
    <>
      <h1 className="sr-only">{sitename || '文豆'}</h1>
      <Carousel
        slides={banners}
        className={
          isMember
            ? 'h-[180px] md:h-[300px]'
            : 'h-[250px] in-[[data-member]]:h-[180px] md:h-[420px] md:in-[[data-member]]:h-[300px]'
        }
      >
        <div className="pointer-events-none absolute inset-0 flex items-center bg-[#000]/20 px-4 md:px-20">
          <div className="pointer-events-auto mx-auto w-full max-w-2xl">
            <SearchBox size="lg" type={ContentType.Document} />
            <HotWords words={hot} variant="tags" />
          </div>
        </div>
      </Carousel>
      <ContinueReading className={cx(frame, 'pt-6')} />
    </>
  )
}

function PlainHero({ counts, hot }: Omit<HomeHeroProps, 'banners'>) {
  const { system } = useSite().settings
  const isMember = isSignedIn(useSession())
  return (
    <div className="border-b border-line bg-surface">
      <div className={cx(frameBesideBar, 'grid gap-8 py-8 lg:grid-cols-[minmax(0,1fr)_19rem] lg:gap-16')}>
        <div className="min-w-0 self-center">
          <section aria-label="搜索">
            <div className={cx('mb-6', isMember ? 'sr-only' : 'in-[[data-member]]:sr-only')}>
              <h1 className="font-display text-3xl leading-tight font-bold tracking-wide">
                找一份文档，
                <br className="sm:hidden" />
                安静地读完。
              </h1>
              {system.description && <p className="mt-3 max-w-xl text-base text-muted">{system.description}</p>}
            </div>
            <div className="max-w-2xl">
              <SearchBox size="lg" type={ContentType.Document} />
            </div>
            <HotWords words={hot} variant="links" />
            {!isMember && <Counts counts={counts} className="mt-4 in-[[data-member]]:hidden" />}
          </section>
          <ContinueReading className="mt-6" />
        </div>
        <AccountCard className="self-center bg-canvas" />
      </div>
    </div>
  )
}
