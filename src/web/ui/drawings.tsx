/** The site's drawings, of one hand: thin lines in the colour of lines, one touch of the accent, a bean and its leaves. */

/** Pages of paper: a list without entries. */
export function PagesDrawing() {
  return (
    <svg width="104" height="84" viewBox="0 0 104 84" fill="none" aria-hidden className="text-line">
      <g stroke="currentColor" strokeWidth="1.5" className="fill-surface">
        <rect x="14" y="15" width="44" height="60" rx="4" transform="rotate(-9 36 45)" />
        <rect x="46" y="15" width="44" height="60" rx="4" transform="rotate(9 68 45)" />
        <rect x="30" y="8" width="44" height="62" rx="4" />
      </g>
      <path d="M38 22h16" className="stroke-accent" strokeWidth="3" strokeLinecap="round" />
      <path d="M38 32h28M38 40h28M38 48h20" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </svg>
  )
}

/** A bean that sprouts from an open book. */
export function SproutDrawing({ className = 'w-32' }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 128 88"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className={className}
    >
      <g className="fill-surface stroke-edge" strokeWidth="1.5">
        <path d="M64 80c-9-7-25-9-48-7V41c23-2 39 0 48 7z" />
        <path d="M64 80c9-7 25-9 48-7V41c-23-2-39 0-48 7z" />
      </g>
      <path
        d="M26 51c10-.5 19 .5 27 3M26 60c10-.5 19 .5 27 3M102 51c-10-.5-19 .5-27 3M102 60c-10-.5-19 .5-27 3"
        className="stroke-line"
        strokeWidth="2.5"
      />
      <g className="stroke-accent" strokeWidth="2">
        <path d="M64 48c1-11 0-18-1-25" />
        <path d="M63 27C52 28 44 22 43 10c11-1 19 5 20 17z" className="fill-accent-soft" />
        <path d="M63 23c1-10 8-16 18-16 1 10-7 17-18 16z" className="fill-accent-soft" />
      </g>
    </svg>
  )
}
