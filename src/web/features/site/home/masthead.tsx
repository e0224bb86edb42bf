import { ContentType } from '#shared/enums.ts'
import { HotWords } from '#web/features/site/home/hot-words.tsx'
import { frame } from '#web/ui/page.tsx'
import { SearchBox } from '#web/features/search/box/search-box.tsx'
import { useSite } from '#web/domain/site.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { cx } from '#web/ui/class-names.ts'
import { displayFont } from '#web/ui/display-font.ts'

/** The site's name and the search box, for the magazine layout. On a phone, members find the search box alone. */
export function Masthead({ hot }: { hot: string[] }) {
  const { sitename, description } = useSite().settings.system
  const isMember = isSignedIn(useSession())
  return (
    <section aria-label="搜索" className="border-b border-line bg-surface">
      <div
        className={cx(
          frame,
          'grid items-center gap-x-12 gap-y-4 py-6 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:py-8',
        )}
      >
        <div
          className={cx(
            'min-w-0 border-l-4 border-accent pl-4',
            isMember ? 'max-md:sr-only' : 'in-[[data-member]]:max-md:sr-only',
          )}
        >
          <h1 className={cx('truncate text-2xl font-bold tracking-wide md:text-3xl', displayFont(sitename || '文豆'))}>
            {sitename || '文豆'}
          </h1>
          {description && <p className="mt-1 line-clamp-2 text-sm text-muted">{description}</p>}
        </div>
        <div className="min-w-0">
          <SearchBox size="lg" type={ContentType.Document} />
          <div className={isMember ? 'max-md:hidden' : 'in-[[data-member]]:max-md:hidden'}>
            <HotWords words={hot} variant="links" />
          </div>
        </div>
      </div>
    </section>
  )
}
