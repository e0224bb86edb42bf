import type { Route } from './+types/page.ts'
import { rankingOrderNames, rankingOrders, rankingPeriodNames, rankingPeriods } from '#shared/ranking.ts'
import { loadRanking } from '#web/features/documents/ranking/load-ranking.ts'
import { RankingList } from '#web/features/documents/ranking/ranking-list.tsx'
import { rankingPath } from '#web/features/documents/ranking/ranking-path.ts'
import { ChoiceLink } from '#web/features/lists/choice-link.tsx'
import { ChoiceTabs } from '#web/features/lists/choice-tabs.tsx'
import { describeError } from '#web/features/site/error-page.tsx'
import { absoluteUrls, breadcrumbList, pageMeta } from '#web/domain/seo.ts'
import { useRefetchWhenSignedIn } from '#web/lib/as-member.ts'
import { load } from '#web/lib/load.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { displayFont } from '#web/ui/display-font.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Page } from '#web/ui/page.tsx'

const page = load(loadRanking)
export const loader = page.server
export const clientLoader = page.client
export const handle = { queryKeys: ['by', 'period'] }

const title = '排行榜'

export default function Ranking({ loaderData: { query, documents, renderedAnonymously } }: Route.ComponentProps) {
  useRefetchWhenSignedIn(renderedAnonymously)
  const verb = rankingOrders[query.by]
  const { span } = rankingPeriods[query.period]
  return (
    <Page>
      <h1 className={cx('text-2xl', displayFont(title))}>{title}</h1>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line">
        <ChoiceTabs
          label="按什么排"
          choices={rankingOrderNames.map((by) => ({
            title: `${rankingOrders[by]}最多`,
            to: rankingPath({ ...query, by }),
            isChosen: by === query.by,
          }))}
        />
        <nav aria-label="多长时间" className="flex gap-1 pb-2 text-sm md:pb-0">
          {rankingPeriodNames.map((period) => (
            <ChoiceLink
              key={period}
              keepsScroll
              choice={{
                title: rankingPeriods[period].title,
                to: rankingPath({ ...query, period }),
                isChosen: period === query.period,
                hint: rankingPeriods[period].span,
              }}
            />
          ))}
        </nav>
      </div>
      <div className="mt-2 pb-12">
        {documents.length === 0 ? (
          <EmptyState
            title={`${span}还没有${verb}`}
            action={
              query.period !== 'all' && <ButtonLink to={rankingPath({ ...query, period: 'all' })}>看总榜</ButtonLink>
            }
          >
            {verb}最多的文档会排在这里。
          </EmptyState>
        ) : (
          <RankingList documents={documents} verb={verb} />
        )}
      </div>
    </Page>
  )
}

export function meta({ matches, loaderData, error }: Route.MetaArgs) {
  const site = matches[0].loaderData
  if (!loaderData) return pageMeta(site, error ? { title: describeError(error).message } : {})
  const { query, documents } = loaderData
  const { span } = rankingPeriods[query.period]
  const absolute = absoluteUrls(site?.settings.system.domain ?? '')
  const names = documents.slice(0, 5).map((document) => `《${document.title}》`)
  return [
    ...pageMeta(site, {
      title: `${title}：${span}${rankingOrders[query.by]}最多的文档`,
      description: names.length > 0 ? `${span}${rankingOrders[query.by]}最多的文档：${names.join('、')}` : '',
      path: rankingPath(query),
      // The first list is in the sitemap, also on a new site.
      isHidden: documents.length === 0 && rankingPath(query) !== '/ranking',
    }),
    breadcrumbList(
      [
        { name: '首页', path: '/' },
        { name: title, path: '/ranking' },
      ],
      absolute,
    ),
  ]
}
