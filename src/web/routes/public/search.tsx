import { Link, useSearchParams } from 'react-router'
import type { Route } from './+types/search.ts'
import { SearchBox } from '#web/features/site/search-box.tsx'
import { Page } from '#web/features/site/page.tsx'
import { pageMeta } from '#web/lib/seo.ts'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

export default function Search() {
  const [query] = useSearchParams()
  const words = query.get('wd')?.trim() ?? ''
  const type = query.get('type') === '1' ? 1 : 0
  const thing = type === 1 ? '文章' : '文档'
  return (
    <Page narrow>
      <h1 className="sr-only">搜索{thing}</h1>
      <div className="mb-4 flex gap-1 text-sm">
        {(['文档', '文章'] as const).map((title, kind) => (
          <Link
            key={title}
            to={`?${new URLSearchParams({ wd: words, type: String(kind) })}`}
            aria-current={kind === type ? 'page' : undefined}
            className={cx(
              'rounded-md px-3 py-1.5',
              kind === type ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:text-ink',
            )}
          >
            {title}
          </Link>
        ))}
      </div>
      <SearchBox key={`${words}${type}`} size="lg" words={words} type={type} />
      <EmptyState title={words ? `没有找到与“${words}”有关的${thing}` : `输入想找的${thing}`}>
        {words ? '换一个更短或更常用的词试试。' : '书名、主题，或者记得的一句话。'}
      </EmptyState>
    </Page>
  )
}

export function meta({ matches, location }: Route.MetaArgs) {
  const words = new URLSearchParams(location.search).get('wd')
  return pageMeta(matches[0].loaderData, { title: words ? `${words} 的搜索结果` : '搜索' })
}
