import { FileText, LayoutList } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { articleListPath, type ArticleQuery } from '#web/features/articles/browse/article-query.ts'
import { useSite, type CategoryNode } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

interface CategoryNavProps {
  query: ArticleQuery
  /** From the root to the current category. */
  path: readonly CategoryNode[]
}

/** The categories of articles, expanded along the path. */
export function CategoryNav({ query, path }: CategoryNavProps) {
  const { articleCategories } = useSite()
  if (articleCategories.length === 0) return null
  const levels = [articleCategories, ...path.map(({ children }) => children)].filter((level) => level.length > 0)
  return (
    <nav aria-label="文章分类" className="text-sm">
      <ul className="space-y-0.5 max-md:hidden">
        <li>
          <Entry query={query} isCurrent={query.category === 0} icon={<LayoutList size={18} aria-hidden />}>
            全部文章
          </Entry>
        </li>
        <Branch query={query} path={path} categories={articleCategories} />
      </ul>
      <div className="space-y-1.5 md:hidden">
        {levels.map((level, depth) => (
          <ul key={level[0]?.id} className="-mx-4 flex gap-2 overflow-x-auto px-4 [scrollbar-width:none]">
            {depth === 0 && (
              <li className="shrink-0">
                <Chip query={query} isChosen={query.category === 0}>
                  全部
                </Chip>
              </li>
            )}
            {level.map((category) => (
              <li key={category.id} className="shrink-0">
                <Chip query={query} category={category} isChosen={path[depth]?.id === category.id}>
                  {category.title}
                </Chip>
              </li>
            ))}
          </ul>
        ))}
      </div>
    </nav>
  )
}

function Branch({ query, path, categories }: CategoryNavProps & { categories: readonly CategoryNode[] }) {
  const [open, ...rest] = path
  return categories.map((category) => (
    <li key={category.id}>
      <Entry
        query={query}
        category={category}
        isCurrent={category.id === query.category}
        icon={category.parent_id === 0 && <Icon src={category.icon} />}
      >
        {category.title}
      </Entry>
      {category.id === open?.id && category.children.length > 0 && (
        <ul className="mt-0.5 space-y-0.5 pl-7">
          <Branch query={query} path={rest} categories={category.children} />
        </ul>
      )}
    </li>
  ))
}

interface EntryProps {
  query: ArticleQuery
  category?: CategoryNode
  isCurrent: boolean
  icon: ReactNode
  children: ReactNode
}

function Entry({ query, category, isCurrent, icon, children }: EntryProps) {
  return (
    <Link
      to={articleListPath(query, { category: category?.id ?? 0 })}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        'flex items-center gap-2.5 rounded-md px-2.5 py-2',
        isCurrent ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-sunken',
      )}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {category !== undefined && category.doc_count > 0 && (
        <span className="text-xs text-muted tabular-nums">{category.doc_count}</span>
      )}
    </Link>
  )
}

function Icon({ src }: { src: string }) {
  if (src === '') return <FileText size={18} className="shrink-0 text-muted" aria-hidden />
  return <img src={src} alt="" width={18} height={18} className="size-4.5 shrink-0 object-contain" />
}

/** On small screens each level is a row that scrolls sideways. */
function Chip({ query, category, isChosen, children }: Omit<EntryProps, 'isCurrent' | 'icon'> & { isChosen: boolean }) {
  return (
    <Link
      to={articleListPath(query, { category: category?.id ?? 0 })}
      aria-current={isChosen ? 'true' : undefined}
      className={cx(
        'block rounded-md px-3 py-1.5 whitespace-nowrap focus-visible:-outline-offset-2',
        isChosen ? 'bg-accent-soft font-medium text-accent' : 'bg-sunken',
      )}
    >
      {children}
    </Link>
  )
}
