/** Five stars, filled by a score of 1 to 500: what nobody has rated shows none. */
export function Stars({ score, className }: { score: number; className?: string }) {
  const share = Math.max(0, Math.min(100, score / 5))
  const label = `评分 ${(score / 100).toFixed(1)} 分，满分 5 分`
  return (
    <span title={label} className={className}>
      <span className="sr-only">{label}</span>
      <span
        aria-hidden
        className="bg-clip-text leading-none tracking-[0.1em] whitespace-nowrap text-[transparent]"
        style={{
          backgroundImage: `linear-gradient(90deg, #d08700 ${share}%, color-mix(in oklab, var(--edge) 45%, transparent) ${share}%)`,
        }}
      >
        ★★★★★
      </span>
    </span>
  )
}
