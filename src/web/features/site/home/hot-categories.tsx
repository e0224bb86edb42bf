import { Link } from 'react-router'
import { categoryPath } from '#web/domain/paths.ts'
import type { CategoryNode } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

const maxCategories = 8

/** The categories with the most documents. */
export function HotCategories({ categories }: { categories: CategoryNode[] }) {
  const hot = categories.toSorted((a, b) => b.doc_count - a.doc_count).slice(0, maxCategories)
  return (
    <section aria-label="热门分类" className="mt-12">
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-display text-xl">热门分类</h2>
        <Link discover="none" to={categoryPath()} className="shrink-0 text-sm text-muted hover:text-accent">
          全部分类
        </Link>
      </div>
      <ul className={cx('mt-4 grid grid-cols-2 gap-3 sm:grid-cols-4', tileClass)}>
        {hot.map((category) => (
          <li key={category.id}>
            <Link discover="none" to={categoryPath(category)}>
              <CategoryIcon category={category} />
              <span>
                <b>{category.title}</b>
                <small>{category.doc_count} 份</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** On the list rather than on each item, which keeps the HTML small. A phone shows four. */
const tileClass = cx(
  '[&>li:nth-child(n+5)]:max-sm:hidden [&_a]:flex [&_a]:h-full [&_a]:items-center [&_a]:gap-3 [&_a]:rounded-lg [&_a]:bg-sunken [&_a]:px-3 [&_a]:py-2.5 [&_a]:hover:bg-accent-soft [&_a]:hover:text-accent',
  '[&_img]:size-9 [&_img]:shrink-0 [&_img]:rounded-md [&_img]:object-cover [&_i]:flex [&_i]:size-9 [&_i]:shrink-0 [&_i]:items-center [&_i]:justify-center [&_i]:rounded-md [&_i]:bg-accent [&_i]:font-semibold [&_i]:text-on-accent [&_i]:not-italic',
  '[&_span]:min-w-0 [&_b]:block [&_b]:truncate [&_b]:text-sm [&_b]:font-medium [&_small]:block [&_small]:text-xs [&_small]:text-muted [&_small]:tabular-nums',
)

/** A picture, or the first character of the title. */
function CategoryIcon({ category: { icon, cover, title } }: { category: CategoryNode }) {
  const picture = icon || cover
  if (picture) return <img src={picture} alt="" width={36} height={36} loading="lazy" />
  const [initial = ''] = title
  return <i aria-hidden>{initial}</i>
}
