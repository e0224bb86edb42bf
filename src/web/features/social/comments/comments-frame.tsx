import { Skeleton } from '#web/ui/feedback/skeleton.tsx'

export function CommentsHeading({ count }: { count?: number }) {
  return (
    <h2 className="text-lg">
      评论
      {count !== undefined && count > 0 && (
        <span className="ml-2 text-sm font-normal text-muted tabular-nums">{count} 条</span>
      )}
    </h2>
  )
}

export function CommentsSkeleton() {
  return (
    <output aria-label="正在加载评论" className="mt-4 block">
      <Skeleton className="h-28" />
      <CommentRowsSkeleton />
    </output>
  )
}

export function CommentRowsSkeleton() {
  return (
    <span className="mt-7 block space-y-7">
      {[0, 1, 2].map((row) => (
        <span key={row} className="flex gap-3">
          <Skeleton className="size-9 shrink-0 rounded-full" />
          <span className="flex-1 space-y-2.5">
            <Skeleton className="h-4 w-32" />
            <Skeleton className="h-4 w-4/5" />
            <Skeleton className="h-4 w-3/5" />
          </span>
        </span>
      ))}
    </span>
  )
}
