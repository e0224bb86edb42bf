import type { Route } from './+types/profile.ts'
import { AvatarField } from '#web/features/users/avatar/avatar-field.tsx'
import { ProfileForm } from '#web/features/users/profile-form.tsx'
import { pageMeta } from '#web/lib/seo.ts'
import { Card } from '#web/ui/card.tsx'

export default function Profile({ matches }: Route.ComponentProps) {
  const { user } = matches[2].loaderData
  // Another tab may change the account: nothing of one person may stay in the other's form.
  return (
    <Card title="个人资料">
      <div className="mb-6 border-b border-line pb-6">
        <AvatarField key={user.id} user={user} />
      </div>
      <ProfileForm key={user.id} user={user} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '个人资料' })
}
