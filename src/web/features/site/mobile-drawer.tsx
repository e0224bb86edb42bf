import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { categoryPath } from '#web/lib/paths.ts'
import { CheckInButton } from '#web/features/site/check-in.tsx'
import { categoriesOf } from '#web/features/site/navigation.tsx'
import { SearchBox } from '#web/features/site/search-box.tsx'
import { ThemeSwitch } from '#web/features/site/theme-switch.tsx'
import { tint } from '#web/features/site/tint.ts'
import { commandsOf, leave } from '#web/features/site/user-commands.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useSite, type CategoryNode, type NavigationNode } from '#web/lib/site.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/dialog.tsx'
import { SmartLink } from '#web/ui/smart-link.tsx'

/** All of the header, for small screens. */
export function MobileDrawer({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const site = useSite()
  const { contact_link, contact_tip } = site.settings.display
  const own = site.navigations.filter((item) => !item.fixed)
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title="导航" className="w-[60%]">
      <div className="flex flex-1 flex-col gap-5 px-4 pb-6">
        <SearchBox />
        <Person />
        <div>
          {site.navigations
            .filter((item) => item.fixed)
            .map((item) => (
              <FixedEntry key={item.id} item={item} categories={categoriesOf(item.href, site)} />
            ))}
        </div>
        {own.length > 0 && (
          <div className="border-t border-line pt-4">
            {own.map((item) => (
              <div key={item.id}>
                <Row href={item.href} target={item.target} color={item.color}>
                  {item.title}
                </Row>
                {item.children.map((child) => (
                  <Row key={child.id} href={child.href} target={child.target} color={child.color} nested>
                    {child.title}
                  </Row>
                ))}
              </div>
            ))}
          </div>
        )}
        {contact_link && <Row href={contact_link}>{contact_tip || '联系我们'}</Row>}
        <div className="mt-auto max-w-full overflow-x-auto">
          <ThemeSwitch />
        </div>
      </div>
    </Drawer>
  )
}

function Person() {
  const session = useSession()
  const { user } = session
  if (!isSignedIn(session)) {
    return (
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/login" look="primary" size="sm">
          登录
        </ButtonLink>
        <ButtonLink to="/register" size="sm">
          注册
        </ButtonLink>
      </div>
    )
  }
  return (
    <div>
      <div className="mb-2 flex items-center gap-3">
        <Avatar src={user.avatar} name={user.username} size={42} />
        <span className="truncate font-semibold">{user.username}</span>
      </div>
      <div className="mb-1">
        <CheckInButton size="sm" />
      </div>
      {commandsOf(session).map(({ title, to }) => (
        <Row key={to} href={to}>
          {title}
        </Row>
      ))}
      <button type="button" onClick={() => void leave()} className={rowClass}>
        退出登录
      </button>
    </div>
  )
}

function FixedEntry({ item, categories }: { item: NavigationNode; categories: CategoryNode[] }) {
  if (categories.length === 0) {
    return (
      <Row href={item.href} target={item.target} color={item.color}>
        {item.title}
      </Row>
    )
  }
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
    </details>
  )
}

function Row({
  href,
  target = '_self',
  color = '',
  nested = false,
  children,
}: {
  href: string
  target?: string
  color?: string
  nested?: boolean
  children: ReactNode
}) {
  return (
    <SmartLink
      href={href}
      target={target}
      style={tint(color)}
      className={nested ? `${rowClass} pl-4 text-sm` : rowClass}
    >
      {children}
    </SmartLink>
  )
}

const rowClass = 'flex min-h-10 w-full items-center rounded-md text-left hover:text-accent'
