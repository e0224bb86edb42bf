import type { Route } from './+types/password.ts'
import { PasswordForm } from '#web/features/users/password-form.tsx'
import { pageMeta } from '#web/lib/seo.ts'
import { Card } from '#web/ui/card.tsx'

export default function Password({ matches }: Route.ComponentProps) {
  const { user } = matches[2].loaderData
  // As in the profile: the account may become another one.
  return (
    <Card title="修改密码">
      <PasswordForm key={user.id} username={user.username} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '修改密码' })
}
