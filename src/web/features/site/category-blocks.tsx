import { Link } from 'react-router'
import { categoryPath } from '#web/lib/paths.ts'
import type { CategoryNode } from '#web/lib/site.ts'

/** Categories as drawers of a card index: the title, and what is inside. */
export function CategoryBlocks({ categories }: { categories: CategoryNode[] }) {
  return (
    <ul className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 lg:grid-cols-4">
      {categories.map((category) => (
        <li key={category.id} className="bg-surface p-5">
          <Link to={categoryPath(category)} className="group flex items-center gap-2.5">
            {category.icon && (
              <img src={category.icon} alt="" width={24} height={24} loading="lazy" className="size-6 object-contain" />
            )}
            <span className="font-semibold group-hover:text-accent">{category.title}</span>
            {category.doc_count > 0 && (
              <span className="ml-auto text-sm text-muted tabular-nums">{category.doc_count}</span>
            )}
          </Link>
          {category.show_description && category.description && (
            <p className="mt-1.5 line-clamp-2 text-sm text-muted">{category.description}</p>
          )}
          {category.children.length > 0 && (
            <p className="mt-2.5 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
              {category.children.slice(0, 8).map((child) => (
                <Link key={child.id} to={categoryPath(child)} className="hover:text-accent">
                  {child.title}
                </Link>
              ))}
            </p>
          )}
        </li>
      ))}
      {/* Fills the row, so that the grid keeps its paper. */}
      <li aria-hidden className="hidden bg-surface last:block empty:[&:nth-child(4n+1)]:hidden" />
    </ul>
  )
}
