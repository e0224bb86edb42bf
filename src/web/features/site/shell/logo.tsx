import { Link } from 'react-router'
import { useSite } from '#web/domain/site.ts'

export function Logo() {
  const { logo, sitename } = useSite().settings.system
  const name = sitename || '文豆'
  return (
    <Link to="/" aria-label={`${name} 首页`} className="flex min-w-8 items-center gap-2.5 md:shrink-0">
      {logo ? (
        <img src={logo} alt={name} className="h-8 w-auto max-w-40 object-contain" />
      ) : (
        <>
          <Mark />
          <span className="max-w-40 truncate text-lg font-bold tracking-wide">{name}</span>
        </>
      )}
    </Link>
  )
}

/** The product's own logo (public/logo.svg), in the colours of the site's palette. */
function Mark() {
  return (
    <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M8.5 8h15M12 12.5h8v5h-8zM11.7 21l1 2.6M20.3 21l-1 2.6M7 25.5h18"
        fill="none"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-on-accent"
      />
    </svg>
  )
}
