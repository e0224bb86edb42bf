import { ContentType, contentTypeLabels } from '#shared/enums.ts'
import { FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { WordLinks } from '#web/features/documents/browse/word-links.tsx'
import { countFilters, searchUrl, withoutFilters, type SearchQuery } from '#web/features/search/search-query.ts'
import type { OtherLink, Others } from '#web/features/search/load-search.ts'
import { KindIcon } from '#web/features/documents/kind-icon.tsx'
import { searchPath } from '#web/domain/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { SearchDrawing } from '#web/ui/drawings/search.tsx'

interface NothingFoundProps {
  query: SearchQuery
  total: number
  /** Those of the typed words that find something. */
  related: string[]
  hot: string[]
  others: Others
}

/** A search without hits: other searches to try, and what others read. */
export function NothingFound({ query, total, related, hot, others }: NothingFoundProps) {
  if (total > 0) {
    return (
      <EmptyState title="没有这一页" action={<ButtonLink to={searchUrl(query)}>回到第一页</ButtonLink>}>
        结果没有这么多页。
      </EmptyState>
    )
  }
  const { words, type } = query
  const typeLabel = contentTypeLabels[type]
  const hasFilters = countFilters(query) > 0
  return (
    <>
      <EmptyState
        title={`没有找到与“${words}”有关的${typeLabel}`}
        drawing={<SearchDrawing />}
        action={
          <>
            {hasFilters && (
              <ButtonLink to={withoutFilters(query)} variant="primary">
                清除筛选再搜
              </ButtonLink>
            )}
            {type === ContentType.Article && <ButtonLink to={searchPath(words)}>在文档里搜索</ButtonLink>}
            <BrowseAllLink type={type} />
          </>
        }
      >
        {hasFilters
          ? `现在只在筛选出的${typeLabel}里找。清除筛选，或者换一个词。`
          : '换一个更短的词，或者检查有没有错别字。'}
      </EmptyState>
      <div className="mx-auto max-w-md space-y-6">
        <Words title="这些词有结果" words={related} type={type} />
        <Words title="热门搜索" words={hot} type={type} />
        <OtherLinks title="大家在看" links={others.popular} />
        <OtherLinks title={`最新${typeLabel}`} links={others.newest} />
      </div>
    </>
  )
}

/** The search page without words. */
export function EmptySearch({ hot, type }: { hot: string[]; type: ContentType }) {
  return (
    <div className="mx-auto mt-8 max-w-2xl space-y-8 pb-8">
      <Words title="热门搜索" words={hot} type={type} />
      <section aria-label="可以搜什么">
        <h2 className="mb-3 text-base">可以搜什么</h2>
        <ul className="list-disc space-y-1.5 pl-5 text-sm text-muted">
          <li>标题、关键字和简介里的词，两个字就够，例如“教案”“合同”。</li>
          <li>正文里记得的一句话{type === ContentType.Document && '：结果会指出它在第几页，点开就到那一页'}。</li>
          <li>几个词用空格隔开，先列出都有的{contentTypeLabels[type]}；没有的话，列出有其中大部分的。</li>
          <li>一句问话，例如“怎么写辞职报告”。</li>
          <li>标题的拼音或首字母；打错一个字，也会猜您要找的是什么。</li>
        </ul>
      </section>
      <BrowseAllLink type={type} />
    </div>
  )
}

function BrowseAllLink({ type }: { type: ContentType }) {
  return type === ContentType.Article ? (
    <ButtonLink to="/article">看看全部文章</ButtonLink>
  ) : (
    <ButtonLink to="/category">看看全部分类</ButtonLink>
  )
}

function Words({ title, words, type }: { title: string; words: string[]; type: ContentType }): ReactNode {
  if (words.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="mb-3 text-base">{title}</h2>
      <WordLinks words={words} type={type} />
    </section>
  )
}

function OtherLinks({ title, links }: { title: string; links: OtherLink[] }): ReactNode {
  if (links.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="mb-2 text-base">{title}</h2>
      <ul className="text-sm">
        {links.map(({ path, title, ext }) => (
          <li key={path}>
            <Link to={path} className="flex min-h-9 items-center gap-2 hover:text-accent">
              {ext === '' ? (
                <FileText size={16} className="shrink-0 text-muted" aria-hidden />
              ) : (
                <KindIcon ext={ext} size={16} />
              )}
              <span className="min-w-0 truncate font-title">{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
