import type { Route } from './+types/vip.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'

export default function MyVip() {
  const { vip } = useSite().settings
  return (
    <Card title="VIP 会员">
      <EmptyState title="还没有 VIP 记录" action={vip.enable && <ButtonLink to="/joinvip">开通 VIP</ButtonLink>}>
        开通 VIP 后，可以在这里看到有效期。
      </EmptyState>
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: 'VIP 会员' })
}
