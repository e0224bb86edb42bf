import { Link } from 'react-router'
import { categoryPath } from '#web/domain/paths.ts'
import type { CategoryNode } from '#web/domain/site.ts'

/** The root categories with their children. */
export function CategoryCard({ categories }: { categories: CategoryNode[] }) {
  return (
    <ul className="grid max-h-[min(70vh,30rem)] grid-cols-2 gap-x-6 gap-y-5 overflow-y-auto p-5">
      {categories.map((category) => (
        <li key={category.id} className="min-w-0">
          <Link to={categoryPath(category)} className="text-sm font-semibold hover:text-accent">
            {category.title}
          </Link>
          {category.children.length > 0 && (
            <p className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-muted">
              {category.children.map((child) => (
                <Link key={child.id} to={categoryPath(child)} className="hover:text-accent">
                  {child.title}
                </Link>
              ))}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
