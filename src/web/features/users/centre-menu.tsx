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
import { useId, useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import { documents } from '#shared/contract/documents.ts'
import { orders } from '#shared/contract/orders.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { sellsVip, useConcernsVip, useTakesOtherThanCredits } from '#web/domain/orders.ts'
import { creditNameOf, useSite } from '#web/domain/site.ts'
import { cx } from '#web/ui/class-names.ts'

/** The pages of the personal centre in their groups: one below the other, or one at a time where the screen is narrow. */
export function CentreMenu() {
  const id = useId()
  const { pathname } = useLocation()
  const site = useSite()
  const isSold = useIsAnythingSold()
  const hasVip = useConcernsVip()
  // A group that was opened to look into it counts until another page is shown.
  const [opened, setOpened] = useState({ pathname: '', title: '' })
  const isShown = ({ to }: Entry) => (to !== '/me/order' || isSold) && (to !== '/me/vip' || hasVip)
  const groups = listGroups(creditNameOf(site))
  const current = groups.find(({ entries }) => entries.some((entry) => isOn(entry, pathname))) ?? groups[0]
  const selected = opened.pathname === pathname ? opened.title : current?.title
  return (
    <nav aria-label="个人中心">
      <div className="mb-2 grid grid-cols-4 border-b border-line lg:hidden">
        {groups.map(({ title }) => (
          <button
            key={title}
            type="button"
            aria-expanded={title === selected}
            aria-controls={`${id}${title}`}
            aria-describedby={title === current?.title ? `${id}current` : undefined}
            onClick={() => setOpened({ pathname, title })}
            className={cx(
              '-mb-px h-11 border-b-2 text-sm transition-colors focus-visible:-outline-offset-2',
              title === selected
                ? 'border-accent font-medium text-ink'
                : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {title}
          </button>
        ))}
        <span id={`${id}current`} hidden>
          当前页面在这一组
        </span>
      </div>
      {/* All groups lie in one cell: it is as high as the highest of them, so that nothing below moves. */}
      <div className="grid lg:block">
        {groups.map(({ title, entries }) => (
          <section
            key={title}
            id={`${id}${title}`}
            aria-label={title}
            className={cx(
              'col-start-1 row-start-1 grid grid-cols-3 content-start gap-1 sm:grid-cols-6 lg:flex lg:flex-col lg:not-first:mt-3',
              title !== selected && 'max-lg:invisible',
            )}
          >
            <h2 className="px-3 py-1 text-xs font-medium text-muted max-lg:hidden">{title}</h2>
            {entries.filter(isShown).map(({ to, title, Icon }) => (
              <NavLink
                key={to}
                to={to}
                end={to === '/me'}
                className={({ isActive }) =>
                  cx(
                    'flex h-11 min-w-0 items-center gap-2 rounded-md px-2 text-sm transition-colors max-lg:justify-center lg:h-10 lg:gap-3 lg:px-3',
                    isActive ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:bg-sunken hover:text-ink',
                  )
                }
              >
                <Icon size={16} className="shrink-0" aria-hidden />
                <span className="truncate">{title}</span>
              </NavLink>
            ))}
          </section>
        ))}
      </div>
    </nav>
  )
}

/** A single order is part of the list. */
function isOn({ to }: Entry, pathname: string): boolean {
  return pathname === to || (to !== '/me' && pathname.startsWith(`${to}/`))
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
