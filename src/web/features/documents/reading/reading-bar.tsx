/** How far a document is read. */
export function ReadingBar({ page, pages, title }: { page: number; pages: number; title: string }) {
  const percent = pages > 0 ? Math.min(100, Math.round((page / pages) * 100)) : 0
  return (
    <span
      role="progressbar"
      aria-label={`“${title}”读到`}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="block h-1 overflow-hidden rounded-full bg-sunken"
    >
      <span style={{ width: `${percent}%` }} className="block h-full rounded-full bg-accent" />
    </span>
  )
}
