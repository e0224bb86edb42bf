import { Crown, PenLine, Upload } from 'lucide-react'
import { Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useInvitations } from '#web/domain/contributions.ts'
import { joinVipPath, sellsVip } from '#web/domain/orders.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { VipBadge } from '#web/features/users/vip-badge.tsx'
import { SproutDrawing } from '#web/ui/drawings/sprout.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

const CheckInButton = lazyPart(
  async () => (await import('#web/features/users/check-in/check-in-button.tsx')).CheckInButton,
)

interface AccountCardProps {
  className: string
  /** Shown below. */
  children?: ReactNode
}

/** Login links for guests; the account of members. */
export function AccountCard({ className, children }: AccountCardProps) {
  const isMember = isSignedIn(useSession())
  // `data-member` is set before hydration (first-paint.ts): the card has its height from the start, and what is below
  // the account its place. The height is that of <Member>: lines of text and the spaces between them.
  return (
    <aside aria-label={isMember ? '我的账号' : '登录'} className={cx('rounded-lg border border-line p-6', className)}>
      <div className="in-[[data-member]]:h-[calc(90px+37*var(--spacing))]">{isMember ? <Member /> : <Guest />}</div>
      <VipLine />
      {children}
    </aside>
  )
}

/** One line of the same height for everyone, where cards are sold. */
function VipLine() {
  const { settings } = useSite()
  const { is_vip } = useSession().user
  if (!sellsVip(settings)) return null
  return (
    <Link to={is_vip ? '/me/vip' : joinVipPath} className="mt-4 flex items-center gap-2 text-sm hover:text-accent">
      <Crown size={16} className="shrink-0 text-warning" aria-hidden />
      {is_vip ? '我的 VIP 会员' : '开通 VIP，免费下载 VIP 文档'}
    </Link>
  )
}

function Guest() {
  const { upload, publish } = useInvitations()
  const offers = [upload ? '上传和收藏文档' : '收藏文档', ...(publish ? ['发布文章'] : [])].join('、')
  return (
    <div data-for="guest" className="items-center justify-between gap-8 sm:max-lg:flex">
      <div>
        <SproutDrawing className="w-28 sm:max-lg:hidden" />
        <h2 className="mt-3 text-lg sm:max-lg:mt-0">来这里读书</h2>
        <p className="mt-1.5 text-sm text-muted">登录后可以{offers}，在任何设备上接着读。</p>
      </div>
      <div className="mt-5 grid grid-cols-2 gap-3 sm:max-lg:mt-0 sm:max-lg:shrink-0">
        <ButtonLink to="/login" variant="primary">
          登录
        </ButtonLink>
        <ButtonLink to="/register">注册</ButtonLink>
      </div>
    </div>
  )
}

function Member() {
  const { user, groups } = useSession()
  const creditName = useCreditName()
  const invited = useInvitations()
  const facts = [
    { title: creditName, count: user.credit_count, to: '/me/credit' },
    { title: '文档', count: user.doc_count, to: '/me/document' },
    { title: '文章', count: user.article_count, to: '/me/article' },
  ]
  return (
    <>
      <Link to="/me" className="flex items-center gap-3 hover:text-accent">
        <Avatar src={user.avatar} size={48} />
        <span className="min-w-0">
          <span className="flex items-center gap-1.5 font-semibold">
            <span className="truncate">{user.username}</span>
            <VipBadge isVip={user.is_vip} />
          </span>
          <span className="block truncate text-sm text-muted">
            {groups.map(({ title }) => title).join('、') || '欢迎回来'}
          </span>
        </span>
      </Link>
      <ul className="mt-4 grid grid-cols-3 border-y border-line py-1.5 text-center">
        {facts.map(({ title, count, to }) => (
          <li key={title}>
            <Link to={to} className="flex flex-col rounded-md py-1.5 hover:text-accent">
              <span className="font-semibold tabular-nums">{count}</span>
              <span className="text-xs text-muted">{title}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="mt-4 space-y-3">
        <Suspense fallback={<Skeleton className="h-10" />}>
          <CheckInButton />
        </Suspense>
        {/* Always a row of links: the card has the same height for every member. */}
        <div className="grid auto-cols-fr grid-flow-col gap-3">
          {invited.upload && (
            <ButtonLink to="/upload" variant="primary">
              <Upload size={16} aria-hidden />
              上传文档
            </ButtonLink>
          )}
          {invited.publish && (
            <ButtonLink to="/post">
              <PenLine size={16} aria-hidden />
              发布文章
            </ButtonLink>
          )}
          {!invited.upload && !invited.publish && <ButtonLink to="/me/favorite">我的收藏</ButtonLink>}
        </div>
      </div>
    </>
  )
}
