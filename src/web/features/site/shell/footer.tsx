import type { Reply } from '#shared/endpoint.ts'
import type { friendlinks } from '#shared/contract/site.ts'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { FooterLinks, LegalNotice } from '#web/features/site/shell/footer-links.tsx'
import { frameBesideBar } from '#web/ui/page.tsx'
import { ThemeSwitch } from '#web/features/site/shell/theme-switch.tsx'
import { useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'
import { SafeHtml } from '#web/ui/safe-html.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

export type Friendlinks = Pick<Reply<typeof friendlinks.list>['friendlink'][number], 'id' | 'title' | 'link'>[]

export function Footer({ friends }: { friends: Friendlinks }) {
  const site = useSite()
  const { display } = site.settings
  return (
    // On a short page it grows upwards while the browser reads it: shown when it is whole.
    <footer className="not-has-[[data-footer-end]]:invisible print:hidden mt-16 border-t border-line bg-sunken/60 text-sm text-muted">
      <div className={cx(frameBesideBar, 'py-10')}>
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
            <FooterLinks />
            {display.copyright_statement && (
              <SafeHtml html={display.copyright_statement} className="[&_a]:text-accent [&_a]:underline" />
            )}
            <LegalNotice />
          </div>
          <ThemeSwitch />
        </div>
      </div>
      <span data-footer-end hidden />
    </footer>
  )
}
