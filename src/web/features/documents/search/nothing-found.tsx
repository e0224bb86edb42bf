import type { ReactNode } from 'react'
import { WordLinks } from '#web/features/documents/browse/word-links.tsx'
import {
  countFilters,
  searchAddress,
  withoutFilters,
  type SearchQuery,
} from '#web/features/documents/search/search-query.ts'
import { shorterWords } from '#web/features/documents/search/shorter-words.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** No document has the words: what else can be done. */
export function NothingFound({ query, total, hot }: { query: SearchQuery; total: number; hot: string[] }) {
  if (total > 0) {
    return (
      <EmptyState title="没有这一页" action={<ButtonLink to={searchAddress(query)}>回到第一页</ButtonLink>}>
        结果没有这么多页。
      </EmptyState>
    )
  }
  const isNarrowed = countFilters(query) > 0
  const shorter = shorterWords(query.words)
  return (
    <>
      <EmptyState
        title={`没有找到与“${query.words}”有关的文档`}
        action={
          <>
            {isNarrowed && (
              <ButtonLink to={withoutFilters(query)} look="primary">
                清除筛选再搜
              </ButtonLink>
            )}
            <ButtonLink to="/category">看看全部分类</ButtonLink>
          </>
        }
      >
        {isNarrowed ? '现在只在筛选出的文档里找。清除筛选，或者换一个词。' : '换一个更短的词，或者检查有没有错别字。'}
      </EmptyState>
      <div className="mx-auto max-w-md space-y-6">
        <Words title="试试更短的词" words={shorter} />
        <Words title="热门搜索" words={hot} />
      </div>
    </>
  )
}

/** Articles cannot be looked for: the same words may be in a document. */
export function NoArticles({ query }: { query: SearchQuery }) {
  return (
    <EmptyState
      title={`没有找到与“${query.words}”有关的文章`}
      action={
        <ButtonLink to={searchAddress(query, { type: 0 })} look="primary">
          在文档里搜索
        </ButtonLink>
      }
    >
      目前能搜到的是文档。
    </EmptyState>
  )
}

/** Before anything was asked: what there is to ask for. */
export function NothingAsked({ hot }: { hot: string[] }) {
  return (
    <div className="mx-auto mt-8 max-w-2xl space-y-8 pb-8">
      <Words title="热门搜索" words={hot} />
      <section aria-label="可以搜什么">
        <h2 className="mb-3 text-base">可以搜什么</h2>
        <ul className="list-disc space-y-1.5 pl-5 text-sm text-muted">
          <li>标题、关键字和简介里的词，两个字就够，例如“教案”“合同”。</li>
          <li>正文里记得的一句话：结果会指出它在第几页，点开就到那一页。</li>
          <li>几个词用空格隔开，只列出都有的文档。</li>
          <li>输入时打拼音或首字母，也会提示相应的标题。</li>
        </ul>
      </section>
      <ButtonLink to="/category">看看全部分类</ButtonLink>
    </div>
  )
}

function Words({ title, words }: { title: string; words: string[] }): ReactNode {
  if (words.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="mb-3 text-base">{title}</h2>
      <WordLinks words={words} />
    </section>
  )
}
