import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { joinVipPath, sellsVip } from '#web/domain/orders.ts'
import { categoryPath } from '#web/domain/paths.ts'
import { CheckInButton } from '#web/features/users/check-in/check-in-button.tsx'
import { categoriesFor } from '#web/features/site/shell/navigation.tsx'
import { SearchBox } from '#web/features/search/box/search-box.tsx'
import { QrFigures } from '#web/features/site/shell/qr-codes.tsx'
import { qrCodes } from '#web/features/site/shell/right-bar.tsx'
import { ThemeSwitch } from '#web/features/site/shell/theme-switch.tsx'
import { EntryTitle } from '#web/features/site/shell/entry-title.tsx'
import { userCommands, signOutAndReload } from '#web/features/site/shell/user-commands.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useSite, type CategoryNode, type NavigationNode } from '#web/domain/site.ts'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/overlay/dialog.tsx'
import { SmartLink } from '#web/ui/navigation/smart-link.tsx'

/** The contents of the header, for small screens. */
export function MobileDrawer({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const site = useSite()
  const { contact_link, contact_tip } = site.settings.display
  const codes = qrCodes(site.settings)
  const custom = site.navigations.filter((item) => !item.fixed)
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title="导航" className="w-[60%]">
      <div className="flex flex-1 flex-col gap-5 px-4 pb-6">
        <SearchBox />
        <AccountLinks />
        <div>
          {site.navigations
            .filter((item) => item.fixed)
            .map((item) => (
              <FixedEntry key={item.id} item={item} categories={categoriesFor(item.href, site)} />
            ))}
          <Row href="/collections">文集</Row>
        </div>
        {custom.length > 0 && (
          <div className="border-t border-line pt-4">
            {custom.map((item) => (
              <EntryWithChildren key={item.id} item={item} />
            ))}
          </div>
        )}
        {contact_link && <Row href={contact_link}>{contact_tip || '联系我们'}</Row>}
        {codes.length > 0 && (
          <div className="space-y-4 border-t border-line pt-4 text-sm text-muted">
            <QrFigures codes={codes} />
          </div>
        )}
        <div className="mt-auto max-w-full overflow-x-auto">
          <ThemeSwitch />
        </div>
      </div>
    </Drawer>
  )
}

function AccountLinks() {
  const session = useSession()
  const { settings } = useSite()
  const { user } = session
  if (!isSignedIn(session)) {
    return (
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/login" variant="primary" size="sm">
          登录
        </ButtonLink>
        <ButtonLink to="/register" size="sm">
          注册
        </ButtonLink>
        {sellsVip(settings) && (
          <ButtonLink to={joinVipPath} size="sm">
            开通 VIP
          </ButtonLink>
        )}
      </div>
    )
  }
  return (
    <div>
      <div className="mb-2 flex items-center gap-3">
        <Avatar src={user.avatar} size={42} />
        <span className="min-w-0">
          <span className="flex items-center gap-1.5 font-semibold">
            <span className="truncate">{user.username}</span>
            <VipBadge isVip={user.is_vip} />
          </span>
          <span className="block truncate text-sm text-muted tabular-nums">
            {user.credit_count} {settings.system.credit_name}
          </span>
        </span>
      </div>
      <div className="mb-1">
        <CheckInButton size="sm" />
      </div>
      {userCommands(session, settings).map(({ title, to }) => (
        <Row key={to} href={to}>
          {title}
        </Row>
      ))}
      <button type="button" onClick={() => void signOutAndReload()} className={rowClass}>
        退出登录
      </button>
    </div>
  )
}

function FixedEntry({ item, categories }: { item: NavigationNode; categories: CategoryNode[] }) {
  if (categories.length === 0) return <EntryWithChildren item={item} />
  return (
    <details className="group">
      <summary className={`${rowClass} list-none justify-between [&::-webkit-details-marker]:hidden`}>
        {item.title}
        <ChevronDown size={16} className="text-muted transition-transform group-open:rotate-180" aria-hidden />
      </summary>
      <Row href={item.href} nested>
        全部
      </Row>
      {categories.map((category) => (
        <div key={category.id}>
          <Row href={categoryPath(category)} nested>
            {category.title}
          </Row>
          {category.children.length > 0 && (
            <p className="flex flex-wrap gap-x-3 gap-y-1 pb-1 pl-8 text-sm text-muted">
              {category.children.map((child) => (
                <Link key={child.id} to={categoryPath(child)} className="py-0.5">
                  {child.title}
                </Link>
              ))}
            </p>
          )}
        </div>
      ))}
      <ChildRows item={item} />
    </details>
  )
}

function EntryWithChildren({ item }: { item: NavigationNode }) {
  return (
    <div>
      <Row href={item.href} target={item.target}>
        <EntryTitle {...item} />
      </Row>
      <ChildRows item={item} />
    </div>
  )
}

function ChildRows({ item }: { item: NavigationNode }) {
  return item.children.map((child) => (
    <Row key={child.id} href={child.href} target={child.target} nested>
      <EntryTitle {...child} />
    </Row>
  ))
}

function Row({
  href,
  target = '_self',
  nested = false,
  children,
}: {
  href: string
  target?: string
  nested?: boolean
  children: ReactNode
}) {
  return (
    <SmartLink href={href} target={target} className={nested ? `${rowClass} pl-4 text-sm` : rowClass}>
      {children}
    </SmartLink>
  )
}

const rowClass = 'flex min-h-10 w-full items-center rounded-md text-left hover:text-accent'
