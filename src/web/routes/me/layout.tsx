import {
  Activity,
  Bell,
  Bookmark,
  Coins,
  Crown,
  Download,
  FileText,
  Flag,
  History,
  KeyRound,
  LibraryBig,
  Newspaper,
  NotebookPen,
  ReceiptText,
  ShieldCheck,
  UserRound,
  UserRoundCheck,
  type LucideIcon,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import type { Route } from './+types/layout.ts'
import { currentUser } from '#shared/contract/current-user.ts'
import { documents } from '#shared/contract/documents.ts'
import { orders } from '#shared/contract/orders.ts'
import { Page } from '#web/ui/page.tsx'
import { DeletionBanner } from '#web/features/users/security/privacy/deletion-banner.tsx'
import { UserHeader } from '#web/features/users/user-header.tsx'
import { api } from '#web/lib/api.ts'
import { load } from '#web/lib/load.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { joinVipPath, sellsVip, useConcernsVip, useTakesOtherThanCredits } from '#web/domain/orders.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { creditNameOf, useSite } from '#web/domain/site.ts'
import { Card } from '#web/ui/card.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Skeleton, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

export const clientLoader = load(async ({ api }) => ({ user: await api(currentUser.get) })).client

/** Actions on one page change the counts on another. */
export function shouldRevalidate(): boolean {
  return true
}

export default function MeLayout({ loaderData: { user } }: Route.ComponentProps) {
  const site = useSite()
  const menu = useScrollToActive()
  const isSold = useIsAnythingSold()
  const hasVip = useConcernsVip()
  const isShown = ({ to }: Entry) => (to !== '/me/order' || isSold) && (to !== '/me/vip' || hasVip)
  return (
    <Page>
      <div className="grid gap-6 lg:grid-cols-[15rem_1fr] print:block">
        <div className="min-w-0 space-y-4 print:hidden lg:space-y-6">
          <Card>
            <UserHeader user={user} />
            {sellsVip(site.settings) && !user.is_vip && (
              <Link to={joinVipPath} className="mt-4 flex items-center gap-2 text-sm hover:text-accent">
                <Crown size={16} className="shrink-0 text-warning" aria-hidden />
                开通 VIP
              </Link>
            )}
          </Card>
          <nav
            ref={menu}
            aria-label="个人中心"
            className="-mx-4 flex gap-1 overflow-x-auto px-4 [scrollbar-width:none] lg:mx-0 lg:flex-col lg:px-0"
          >
            {listGroups(creditNameOf(site)).map(({ title, entries }) => (
              <section
                key={title}
                aria-labelledby={`me-${title}`}
                className="flex shrink-0 gap-1 max-lg:items-center max-lg:not-first:border-l max-lg:not-first:border-line max-lg:not-first:pl-2 lg:flex-col lg:not-first:mt-3"
              >
                <h2 id={`me-${title}`} className="shrink-0 px-2 text-xs font-medium text-muted lg:px-3 lg:py-1">
                  {title}
                </h2>
                {entries.filter(isShown).map(({ to, title, Icon }) => (
                  <NavLink
                    key={to}
                    to={to}
                    end={to === '/me'}
                    className={({ isActive }) =>
                      cx(
                        'flex h-10 shrink-0 items-center gap-3 rounded-md px-3 text-sm transition-colors',
                        isActive
                          ? 'bg-accent-soft font-medium text-accent'
                          : 'text-muted hover:bg-sunken hover:text-ink',
                      )
                    }
                  >
                    <Icon size={16} aria-hidden />
                    {title}
                  </NavLink>
                ))}
              </section>
            ))}
          </nav>
        </div>
        <div className="min-w-0 space-y-6">
          {user.deletion_at !== null && <DeletionBanner dueAt={user.deletion_at} />}
          <Outlet />
        </div>
      </div>
    </Page>
  )
}

/** Nothing of orders is shown where nothing is sold: asked for only where the settings do not tell. */
function useIsAnythingSold(): boolean {
  const { settings } = useSite()
  const isSold = useTakesOtherThanCredits() || sellsVip(settings)
  const { data } = useQuery('sold', findSold, { enabled: !isSold })
  return isSold || data === true
}

async function findSold(): Promise<boolean> {
  const [own, priced] = await Promise.all([
    api(orders.own, { page: 1, size: 1 }),
    api(documents.list, { fee_type: 'charge', page: 1, size: 1 }),
  ])
  return own.total > 0 || priced.document.length > 0
}

/** On a narrow screen the menu scrolls: the active entry must be visible. */
function useScrollToActive() {
  const menu = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    // A single order is part of the list.
    const [, me = '', list = ''] = pathname.split('/')
    const active = menu.current?.querySelector<HTMLElement>(`[href='${list ? `/${me}/${list}` : '/me'}']`)
    if (menu.current && active)
      menu.current.scrollLeft = active.offsetLeft - (menu.current.clientWidth - active.offsetWidth) / 2
  }, [pathname])
  return menu
}

export function HydrateFallback() {
  return (
    <Page>
      <div className="grid gap-6 lg:grid-cols-[15rem_1fr]">
        <Skeleton className="h-32" />
        <Card>
          <SkeletonRows count={6} />
        </Card>
      </div>
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '个人中心' })
}

interface Entry {
  to: string
  title: string
  Icon: LucideIcon
}

const listGroups = (creditName: string): { title: string; entries: Entry[] }[] => [
  {
    title: '阅读',
    entries: [
      { to: '/me', title: '我的动态', Icon: Activity },
      { to: '/me/history', title: '阅读记录', Icon: History },
      { to: '/me/notes', title: '我的笔记', Icon: NotebookPen },
      { to: '/me/favorite', title: '我的收藏', Icon: Bookmark },
      { to: '/me/follows', title: '我的关注', Icon: UserRoundCheck },
      { to: '/me/download', title: '我的下载', Icon: Download },
    ],
  },
  {
    title: '创作',
    entries: [
      { to: '/me/document', title: '我的文档', Icon: FileText },
      { to: '/me/article', title: '我的文章', Icon: Newspaper },
      { to: '/me/collections', title: '我的文集', Icon: LibraryBig },
    ],
  },
  {
    title: '交易',
    entries: [
      { to: '/me/order', title: '我的订单', Icon: ReceiptText },
      { to: '/me/vip', title: 'VIP 会员', Icon: Crown },
      { to: '/me/credit', title: `${creditName}明细`, Icon: Coins },
    ],
  },
  {
    title: '账号',
    entries: [
      { to: '/me/notification', title: '我的通知', Icon: Bell },
      { to: '/me/report', title: '我的举报', Icon: Flag },
      { to: '/me/profile', title: '个人资料', Icon: UserRound },
      { to: '/me/password', title: '修改密码', Icon: KeyRound },
      { to: '/me/security', title: '账号安全', Icon: ShieldCheck },
    ],
  },
]
