import { useRevalidator } from 'react-router'
import { FollowTarget } from '#shared/collections.ts'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { CategoryCrumbs } from '#web/features/documents/browse/category-crumbs.tsx'
import { DocumentList } from '#web/features/documents/browse/document-list.tsx'
import { Filters } from '#web/features/documents/browse/filters.tsx'
import { KeywordCard } from '#web/features/documents/browse/keyword-card.tsx'
import { hasFilters, pageSize, reachableTotal, type ListQuery } from '#web/features/documents/browse/list-query.ts'
import type { loadCategory } from '#web/features/documents/browse/load-category.ts'
import { SortTabs } from '#web/features/documents/browse/sort-tabs.tsx'
import { FollowButton } from '#web/features/social/follow/follow-button.tsx'
import { useInvitations } from '#web/domain/contributions.ts'
import { useSite, type CategoryNode } from '#web/domain/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Page } from '#web/ui/page.tsx'
import { SearchDrawing } from '#web/ui/drawings/search.tsx'
import { SeedlingDrawing } from '#web/ui/drawings/seedling.tsx'

interface DocumentsPageProps {
  data: Awaited<ReturnType<typeof loadCategory>>
  /** The address without a query. */
  listPath: string
  /** Of the list of all categories. */
  title: string
}

/** The documents of a category, or of all. */
export function DocumentsPage({ data: { path, query, list, ads, now }, listPath, title }: DocumentsPageProps) {
  const { display } = useSite().settings
  const { revalidate, state } = useRevalidator()
  const category = path.at(-1)
  const words = display.hide_keywords_on_lists ? [] : list.keywords
  return (
    <Page>
      <CategoryCrumbs path={path} title={title} />
      <Title category={category} title={title} />
      <div className="mt-5">
        <Filters query={query} path={path} listPath={listPath} />
      </div>
      <AdSlot position="list_nav_bottom" ads={ads} />
      <div className={cx('mt-5 grid gap-8', words.length > 0 && 'lg:grid-cols-[minmax(0,1fr)_16rem]')}>
        <div className="min-w-0">
          <AdSlot position="list_document_top" ads={ads} />
          <SortTabs query={query} path={listPath} total={list.total} />
          <div className="pt-5">
            {list.problem === '' ? (
              <DocumentList
                documents={list.documents}
                total={reachableTotal(list.total)}
                page={query.page}
                size={pageSize}
                now={now}
                empty={<NoDocuments query={query} path={listPath} category={category} total={list.total} />}
              />
            ) : (
              <ErrorState message={list.problem} retry={() => void revalidate()} busy={state === 'loading'} />
            )}
          </div>
          <AdSlot position="list_document_bottom" ads={ads} />
        </div>
        {words.length > 0 && (
          <aside aria-label="相关词语" className="lg:sticky lg:top-20 lg:self-start">
            <KeywordCard words={words} />
          </aside>
        )}
      </div>
    </Page>
  )
}

function Title({ category, title }: { category: CategoryNode | undefined; title: string }) {
  return (
    <header className="mt-4 flex items-center gap-4">
      {category?.cover && (
        <img src={category.cover} alt="" width={64} height={64} className="size-16 rounded-md object-cover" />
      )}
      <div className="min-w-0">
        <h1 className="text-2xl">{category?.title ?? title}</h1>
        {category?.show_description && category.description && (
          <p className="mt-1.5 max-w-2xl text-sm text-muted">{category.description}</p>
        )}
      </div>
      <span className="ml-auto flex shrink-0 flex-wrap justify-end gap-1">
        <ButtonLink to="/ranking" size="sm" variant="quiet">
          排行榜
        </ButtonLink>
        {category ? (
          <FollowButton kind={FollowTarget.Category} id={category.id} />
        ) : (
          <ButtonLink to="/collections" size="sm" variant="quiet">
            看文集
          </ButtonLink>
        )}
      </span>
    </header>
  )
}

interface NoDocumentsProps {
  query: ListQuery
  path: string
  category: CategoryNode | undefined
  total: number
}

function NoDocuments({ query, path, category, total }: NoDocumentsProps) {
  const { upload } = useInvitations()
  if (total > 0) {
    return (
      <EmptyState title="没有这一页" action={<ButtonLink to={path}>回到第一页</ButtonLink>}>
        这里一共有 {total} 份文档。
      </EmptyState>
    )
  }
  if (hasFilters(query)) {
    return (
      <EmptyState
        title="没有符合条件的文档"
        drawing={<SearchDrawing />}
        action={<ButtonLink to={path}>清除筛选</ButtonLink>}
      >
        换一种类型、价格或语言试试。
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="还没有文档"
      drawing={<SeedlingDrawing />}
      action={upload && <ButtonLink to="/upload">上传文档</ButtonLink>}
    >
      {category ? `“${category.title}”下还没有文档，等着第一份种下。` : '上传的文档会按分类排在这里。'}
    </EmptyState>
  )
}
