import { useSite } from '#web/domain/site.ts'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

/** The contents of the footer; the list of articles shows them in a side column. */

export function FooterLinks() {
  const { footer } = useSite().settings
  const links = linkTitles.flatMap(([key, title]) => (footer[key] ? [{ title, href: footer[key] }] : []))
  if (links.length === 0) return null
  return (
    <nav aria-label="网站信息" className="flex flex-wrap gap-x-5 gap-y-2 text-ink">
      {links.map(({ title, href }) => (
        <SmartLink key={title} href={href} className="hover:text-accent">
          {title}
        </SmartLink>
      ))}
    </nav>
  )
}

/** Copyright, what no menu names, and the site's registrations. */
export function LegalNotice() {
  const { settings, year } = useSite()
  const { sitename, copyright_start_year, icp, sec_icp, enable_powered_by, version } = settings.system
  const years =
    copyright_start_year && copyright_start_year !== String(year) ? `${copyright_start_year}–${year}` : String(year)
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      <span>
        © {years}{' '}
        <SmartLink href="/" className="hover:text-accent">
          {sitename || '文豆'}
        </SmartLink>
      </span>
      <SmartLink href="/ranking" className="hover:text-accent">
        排行榜
      </SmartLink>
      <a href="/sitemap.xml" className="hover:text-accent">
        站点地图
      </a>
      {icp && (
        <a href="https://beian.miit.gov.cn/" target="_blank" rel="noopener noreferrer" className="hover:text-accent">
          {icp}
        </a>
      )}
      {sec_icp && (
        <a
          href={`https://beian.mps.gov.cn/#/query/webSearch?code=${sec_icp.replace(/\D/g, '')}`}
          target="_blank"
          rel="noopener noreferrer"
          className="hover:text-accent"
        >
          {sec_icp}
        </a>
      )}
      {enable_powered_by && <span>由文豆{version && ` v${version.replace(/^v/, '')}`} 驱动</span>}
    </p>
  )
}

const linkTitles = [
  ['about', '关于我们'],
  ['contact', '联系我们'],
  ['agreement', '用户协议'],
  ['copyright', '免责声明'],
  ['feedback', '意见反馈'],
  ['donate', '捐助'],
] as const
