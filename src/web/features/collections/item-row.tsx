import { Newspaper } from 'lucide-react'
import { Link } from 'react-router'
import { ContentType } from '#shared/enums.ts'
import { articlePath, documentPath } from '#web/domain/paths.ts'
import type { ShownItem } from '#web/features/collections/collection-summary.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { KindLabel } from '#web/features/documents/kind-label.tsx'

/** A document or article of a collection, with its place and the owner's note. */
export function ItemRow({ item, place }: { item: ShownItem; place: number }) {
  const path = itemPath(item)
  const { title, type, ext, pages, author, user_id, description, note, is_public } = item
  return (
    <li className="flex gap-4 py-5 first:pt-0">
      <span aria-hidden className="w-6 shrink-0 pt-0.5 text-right text-sm text-muted tabular-nums max-sm:hidden">
        {place}
      </span>
      <Link to={path} tabIndex={-1} aria-hidden className="w-16 shrink-0 sm:w-20">
        <ItemCover item={item} />
      </Link>
      <div className="min-w-0 flex-1">
        <h2 className="font-title text-base leading-snug">
          <Link to={path} className="line-clamp-2 font-medium hover:text-accent">
            {title}
          </Link>
        </h2>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted tabular-nums">
          {type === ContentType.Article ? <span>文章</span> : <KindLabel ext={ext} />}
          {pages > 0 && <span>{pages} 页</span>}
          {user_id > 0 && (
            <Link to={`/user/${user_id}`} className="hover:text-accent">
              {author}
            </Link>
          )}
          {!is_public && <span className="text-warning">不是所有人都能看到</span>}
        </p>
        {note ? (
          <p className="mt-2 border-l-2 border-accent pl-3 text-sm leading-relaxed whitespace-pre-line">{note}</p>
        ) : (
          description && <p className="mt-2 line-clamp-2 text-sm text-muted">{description}</p>
        )}
      </div>
    </li>
  )
}

export function ItemCover({ item }: { item: ShownItem }) {
  if (item.type === ContentType.Document) return <Cover document={item} />
  return (
    <span className="flex aspect-210/297 w-full items-center justify-center overflow-hidden rounded-sm border border-line bg-sunken text-muted">
      {item.cover ? (
        <img src={item.cover} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
      ) : (
        <Newspaper size={22} aria-hidden />
      )}
    </span>
  )
}

export function itemPath({ type, uuid }: Pick<ShownItem, 'type' | 'uuid'>): string {
  return type === ContentType.Article ? articlePath({ identifier: uuid }) : documentPath({ uuid })
}
