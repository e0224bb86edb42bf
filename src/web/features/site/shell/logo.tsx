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
          <img src="/logo.svg" alt="" width={32} height={32} className="shrink-0" />
          <span className="max-w-40 truncate text-lg font-bold tracking-wide">{name}</span>
        </>
      )}
    </Link>
  )
}
