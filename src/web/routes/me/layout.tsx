import { Crown } from 'lucide-react'
import { Link, Outlet } from 'react-router'
import type { Route } from './+types/layout.ts'
import { currentUser } from '#shared/contract/current-user.ts'
import { Page } from '#web/ui/page.tsx'
import { DeletionBanner } from '#web/features/users/security/privacy/deletion-banner.tsx'
import { CentreMenu } from '#web/features/users/centre-menu.tsx'
import { UserHeader } from '#web/features/users/user-header.tsx'
import { load } from '#web/lib/load.ts'
import { joinVipPath, sellsVip } from '#web/domain/orders.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

export const clientLoader = load(async ({ api }) => ({ user: await api(currentUser.get) })).client

/** Actions on one page change the counts on another. */
export function shouldRevalidate(): boolean {
  return true
}

export default function MeLayout({ loaderData: { user } }: Route.ComponentProps) {
  const site = useSite()
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
          <CentreMenu />
        </div>
        <div className="min-w-0 space-y-6">
          {user.deletion_at !== null && <DeletionBanner dueAt={user.deletion_at} />}
          <Outlet />
        </div>
      </div>
    </Page>
  )
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
