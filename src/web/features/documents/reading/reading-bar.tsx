/** How far a document is read. */
export function ReadingBar({ page, pages, title }: { page: number; pages: number; title: string }) {
  return (
    <progress
      aria-label={`“${title}”读到`}
      value={Math.min(page, pages)}
      max={Math.max(1, pages)}
      className="block h-1 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent"
    />
  )
}
