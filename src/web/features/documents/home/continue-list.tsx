import { BookOpenText } from 'lucide-react'
import { Link } from 'react-router'
import { reading, type HistoryItem } from '#shared/contract/reading.ts'
import { Cover } from '#web/features/documents/cover.tsx'
import { sendPlacesOfVisitor } from '#web/features/documents/reader/position/synced-positions.ts'
import { ReadingBar } from '#web/features/documents/reading/reading-bar.tsx'
import { pagePath } from '#web/features/documents/reading/reading-path.ts'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'

const count = 8

/** Documents that the member has begun, the last one first. */
export function ContinueList() {
  const user = useSession().user.id
  const { data, error, refetch } = useQuery(user, async () => {
    await sendPlacesOfVisitor(user)
    return api(reading.history, { state: 'reading', size: count })
  })
  const items = data?.history.filter(({ is_gone }) => !is_gone) ?? []
  if (error)
    return (
      <p className={boxClass}>
        没有加载成功
        <button type="button" onClick={refetch} className="h-10 px-2 font-medium text-accent hover:underline">
          重试
        </button>
      </p>
    )
  if (!data)
    return (
      <div className="grid h-full gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Skeleton className="h-full" />
        <Skeleton className="h-full max-sm:hidden" />
        <Skeleton className="h-full max-lg:hidden" />
      </div>
    )
  if (items.length === 0)
    return (
      <p className={boxClass}>
        <BookOpenText size={20} className="shrink-0" aria-hidden />
        <span>
          没有读到一半的文档。
          <Link to="/category" className="inline-flex min-h-6 items-center text-accent hover:underline">
            找一份来读
          </Link>
        </span>
      </p>
    )
  return (
    <ul className="flex h-full snap-x gap-4 overflow-x-auto overflow-y-hidden [scrollbar-width:none]">
      {items.map((item) => (
        <Item key={item.id} {...item} />
      ))}
    </ul>
  )
}

const boxClass = 'flex h-full items-center gap-3 rounded-lg border border-line bg-surface px-5 text-sm text-muted'

function Item(item: HistoryItem) {
  const { title, page, pages } = item
  return (
    <li className="w-72 shrink-0 snap-start">
      <Link
        to={pagePath(item)}
        className="group flex h-full gap-3 rounded-lg border border-line bg-surface p-3 hover:border-edge"
      >
        <Cover document={item} className="!w-15" />
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="line-clamp-2 font-title text-sm font-medium group-hover:text-accent">{title}</span>
          <span className="mt-auto mb-1.5 text-xs text-muted tabular-nums">
            {pages > 0 ? `读到 ${page}/${pages} 页` : `读到第 ${page} 页`}
          </span>
          <ReadingBar page={page} pages={pages} title={title} />
        </span>
      </Link>
    </li>
  )
}
