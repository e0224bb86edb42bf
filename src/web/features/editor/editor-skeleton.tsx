import { Skeleton } from '#web/ui/feedback/skeleton.tsx'

/** The placeholder while the editor is loading. */
export function EditorSkeleton() {
  return (
    <output aria-label="正在打开编辑器" className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18.75rem]">
      <div className="space-y-4">
        <Skeleton className="h-14" />
        <div className="overflow-hidden rounded-lg border border-line bg-surface">
          <div className="flex h-[43px] items-center gap-2 border-b border-line px-3">
            {Array.from({ length: 8 }, (_, tool) => (
              <Skeleton key={tool} className="size-6" />
            ))}
          </div>
          <div className="h-[max(50vh,360px)] space-y-4 p-7">
            <Skeleton className="h-5 w-4/5" />
            <Skeleton className="h-5" />
            <Skeleton className="h-5 w-3/5" />
          </div>
        </div>
      </div>
      <div className="space-y-5 rounded-lg border border-line bg-surface p-5">
        <Skeleton className="h-10" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
        <Skeleton className="h-28" />
      </div>
    </output>
  )
}
