export function RecommendedBadge() {
  return (
    <span className="ml-2 rounded-sm bg-warning-soft px-1.5 py-0.5 align-[0.15em] font-sans text-xs font-medium whitespace-nowrap text-warning">
      推荐
    </span>
  )
}
