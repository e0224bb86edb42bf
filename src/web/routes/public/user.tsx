import { Outlet } from 'react-router'
import type { Route } from './+types/user.ts'
import { users } from '#shared/contract/users.ts'
import { AdSlot } from '#web/features/site/ad-slot.tsx'
import { Page } from '#web/features/site/page.tsx'
import { PersonCard } from '#web/features/users/person-card.tsx'
import { loadAds } from '#web/lib/load-site.ts'
import { load, notFound } from '#web/lib/load.ts'
import { pageMeta } from '#web/lib/seo.ts'
import { useSite } from '#web/lib/site.ts'
import { Card } from '#web/ui/card.tsx'
import { LinkTabs } from '#web/ui/link-tabs.tsx'

const page = load(async ({ api, params }) => {
  if (!/^[1-9]\d{0,15}$/.test(params.id ?? '')) throw notFound('用户不存在')
  const [user, ads] = await Promise.all([
    api(users.get, { id: Number(params.id) }),
    loadAds(api, ['user_top', 'user_document_top']),
  ])
  const { id, username, avatar, signature, is_vip, doc_count, article_count, favorite_count, credit_count } = user
  return {
    ads,
    user: { id, username, avatar, signature, is_vip, doc_count, article_count, favorite_count, credit_count },
  }
})
export const loader = page.server
export const clientLoader = page.client

export default function UserPage({ loaderData: { user, ads } }: Route.ComponentProps) {
  const { vip } = useSite().settings
  const home = `/user/${user.id}`
  return (
    <Page>
      <AdSlot position="user_top" ads={ads} />
      <Card>
        <PersonCard person={user} vip={vip} />
      </Card>
      <div className="mt-6">
        <LinkTabs
          label="个人主页"
          tabs={[
            { title: '资料', to: home, end: true },
            { title: `文档 ${user.doc_count || ''}`, to: `${home}/document` },
            { title: `文章 ${user.article_count || ''}`, to: `${home}/article` },
          ]}
        />
        <Outlet />
      </div>
    </Page>
  )
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const user = loaderData?.user
  return pageMeta(matches[0].loaderData, user ? { title: `${user.username} 的主页`, description: user.signature } : {})
}
