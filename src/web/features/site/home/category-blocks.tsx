import { Link } from 'react-router'
import { categoryPath } from '#web/domain/paths.ts'
import type { CategoryNode } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

const maxRoots = 4
const maxChildren = 8

/** The first root categories with their children. */
export function CategoryBlocks({ categories }: { categories: CategoryNode[] }) {
  return (
    <section aria-label="分类" className="mt-10">
      <div className="mb-4 flex items-center justify-between gap-4">
        <h2 className="font-display text-xl">按分类浏览</h2>
        <Link discover="none" to={categoryPath()} className="shrink-0 text-sm text-muted hover:text-accent">
          全部分类
        </Link>
      </div>
      <ul
        className={cx(
          'grid overflow-hidden rounded-lg border border-line bg-surface sm:grid-cols-2 lg:grid-cols-4',
          blockClass,
        )}
      >
        {categories.slice(0, maxRoots).map((category) => (
          <li key={category.id}>
            <Link discover="none" to={categoryPath(category)}>
              {(category.icon || category.cover) && (
                <img src={category.icon || category.cover} alt="" width={24} height={24} loading="lazy" />
              )}
              <b>{category.title}</b>
              {category.doc_count > 0 && <small>{category.doc_count}</small>}
            </Link>
            {category.show_description && category.description && <p>{category.description}</p>}
            {category.children.length > 0 && (
              <div>
                {category.children.slice(0, maxChildren).map((child) => (
                  <Link key={child.id} discover="none" to={categoryPath(child)}>
                    {child.title}
                  </Link>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** On the list rather than on each item, which keeps the HTML small. */
const blockClass = cx(
  '[&>li]:-mr-px [&>li]:-mb-px [&>li]:min-w-0 [&>li]:border-r [&>li]:border-b [&>li]:border-line [&>li]:p-5 [&_a]:hover:text-accent',
  '[&>li>a]:flex [&>li>a]:items-center [&>li>a]:gap-2.5 [&_img]:size-6 [&_img]:object-contain [&_b]:font-semibold [&_small]:ml-auto [&_small]:text-sm [&_small]:text-muted [&_small]:tabular-nums',
  '[&_p]:mt-1.5 [&_p]:line-clamp-2 [&_p]:text-sm [&_p]:text-muted [&>li>div]:mt-2.5 [&>li>div]:flex [&>li>div]:flex-wrap [&>li>div]:gap-x-3 [&>li>div]:gap-y-1 [&>li>div]:text-sm [&>li>div]:text-muted',
)
