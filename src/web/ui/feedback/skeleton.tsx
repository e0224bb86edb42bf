import { cx } from '#web/ui/class-names.ts'

/** A placeholder in the shape of content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('block animate-breathe rounded-md bg-sunken', className)} />
}

export function SkeletonRows({ count = 4 }: { count?: number }) {
  return (
    <output aria-label="正在加载" className="block space-y-4">
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} className="h-5 odd:w-4/5" />
      ))}
    </output>
  )
}
