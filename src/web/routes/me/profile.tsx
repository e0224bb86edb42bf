import type { Route } from './+types/profile.ts'
import { AvatarField } from '#web/features/users/avatar/avatar-field.tsx'
import { ProfileForm } from '#web/features/users/account/profile-form.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'

export default function Profile({ matches }: Route.ComponentProps) {
  const { user } = matches[2].loaderData
  // The keys reset the forms when another tab changes the account.
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
