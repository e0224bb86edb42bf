import { Rss } from 'lucide-react'
import { Outlet, useLocation } from 'react-router'
import type { Route } from './+types/user.ts'
import { FollowTarget } from '#shared/collections.ts'
import { users } from '#shared/contract/users.ts'
import { AdSlot } from '#web/features/ads/ad-slot.tsx'
import { Page } from '#web/ui/page.tsx'
import { parseUserId } from '#web/features/users/list-params.ts'
import { FollowButton } from '#web/features/social/follow/follow-button.tsx'
import { UserHeader } from '#web/features/users/user-header.tsx'
import { loadAds } from '#web/domain/load-site.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'
import { LinkTabs } from '#web/ui/navigation/link-tabs.tsx'

const page = load(async ({ api, params }) => {
  const [user, ads] = await Promise.all([
    api(users.get, { id: parseUserId(params) }),
    loadAds(api, ['user_top', 'user_document_top']),
  ])
  const { id, username, avatar, signature, is_vip } = user
  const { doc_count, article_count, favorite_count, fans_count } = user
  const counts = { doc_count, article_count, favorite_count, fans_count }
  return { ads, user: { id, username, avatar, signature, is_vip, ...counts } }
})
export const loader = page.server
export const clientLoader = page.client

export default function UserPage({ loaderData: { user, ads } }: Route.ComponentProps) {
  const home = `/user/${user.id}`
  const counts = [
    { title: '文档', count: user.doc_count },
    { title: '文章', count: user.article_count },
    { title: '收藏', count: user.favorite_count },
  ]
  return (
    <Page>
      <AdSlot position="user_top" ads={ads} />
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-5">
          <div className="flex min-w-0 flex-wrap items-center gap-x-5 gap-y-3">
            <UserHeader user={user} />
            <FollowButton kind={FollowTarget.Author} id={user.id} ownerId={user.id} count={user.fans_count} />
          </div>
          <dl className="flex gap-x-8 max-sm:w-full max-sm:justify-between">
            {counts.map(({ title, count }) => (
              <div key={title} className="flex flex-col-reverse sm:items-center">
                <dt className="text-sm text-muted">{title}</dt>
                <dd className="text-xl font-semibold tabular-nums">{count}</dd>
              </div>
            ))}
          </dl>
        </div>
      </Card>
      <div className="relative mt-6">
        <LinkTabs
          label="个人主页"
          tabs={[
            { title: '主页', to: home, end: true },
            { title: `文档 ${user.doc_count || ''}`, to: `${home}/document` },
            { title: `文章 ${user.article_count || ''}`, to: `${home}/article` },
            { title: '文集', to: `${home}/collection` },
          ]}
        />
        <FeedLink userId={user.id} />
        <Outlet />
      </div>
    </Page>
  )
}

/** The feed of the active tab. */
function FeedLink({ userId }: { userId: number }) {
  const isDocuments = useLocation().pathname.endsWith('/document')
  const title = `订阅此人的${isDocuments ? '文档' : '文章'}`
  return (
    <a
      href={`/feed/${isDocuments ? 'document' : 'article'}?user_id=${userId}`}
      title={title}
      aria-label={title}
      className="absolute top-0.5 right-0 inline-flex size-10 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
    >
      <Rss size={18} aria-hidden />
    </a>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const user = loaderData?.user
  return pageMeta(matches[0].loaderData, user ? { title: `${user.username} 的主页`, description: user.signature } : {})
}
