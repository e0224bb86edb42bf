import type { Reply } from '#shared/endpoint.ts'
import type { friendlinks } from '#shared/contract/site.ts'
import { AdSlot } from '#web/features/site/ad-slot.tsx'
import { frame } from '#web/features/site/page.tsx'
import { ThemeSwitch } from '#web/features/site/theme-switch.tsx'
import { useSite, type Site } from '#web/lib/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { SafeHtml } from '#web/ui/safe-html.tsx'
import { SmartLink } from '#web/ui/smart-link.tsx'

export type Friendlinks = Pick<Reply<typeof friendlinks.list>['friendlink'][number], 'id' | 'title' | 'link'>[]

export function Footer({ friends }: { friends: Friendlinks }) {
  const site = useSite()
  const { display, footer } = site.settings
  const links = linkTitles.flatMap(([key, title]) => (footer[key] ? [{ title, href: footer[key] }] : []))
  return (
    <footer className="mt-16 border-t border-line bg-sunken/60 text-sm text-muted">
      <div className={cx(frame, 'py-10')}>
        <AdSlot position="global_bottom" ads={site.ads} />
        {friends.length > 0 && (
          <nav aria-label="友情链接" className="mb-8 flex flex-wrap gap-x-5 gap-y-2 border-b border-line pb-8">
            <span className="font-medium text-ink">友情链接</span>
            {friends.map(({ id, title, link }) => (
              <SmartLink key={id} href={link} className="hover:text-accent">
                {title}
              </SmartLink>
            ))}
          </nav>
        )}
        <div className="flex flex-col gap-6 md:flex-row md:items-start md:justify-between">
          <div className="max-w-xl space-y-3">
            {links.length > 0 && (
              <nav aria-label="网站信息" className="flex flex-wrap gap-x-5 gap-y-2 text-ink">
                {links.map(({ title, href }) => (
                  <SmartLink key={title} href={href} className="hover:text-accent">
                    {title}
                  </SmartLink>
                ))}
              </nav>
            )}
            {display.copyright_statement && (
              <SafeHtml html={display.copyright_statement} className="[&_a]:text-accent [&_a]:underline" />
            )}
            <Records site={site} />
          </div>
          <ThemeSwitch />
        </div>
      </div>
    </footer>
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

function Records({ site: { settings, year } }: { site: Site }) {
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
