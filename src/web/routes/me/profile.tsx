import type { Route } from './+types/profile.ts'
import { ProfileForm } from '#web/features/users/profile-form.tsx'
import { pageMeta } from '#web/lib/seo.ts'
import { Card } from '#web/ui/card.tsx'

export default function Profile({ matches }: Route.ComponentProps) {
  return (
    <Card title="个人资料">
      <ProfileForm user={matches[2].loaderData.user} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '个人资料' })
}
