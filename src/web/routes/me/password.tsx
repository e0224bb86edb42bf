import { useState } from 'react'
import type { Route } from './+types/password.ts'
import { PasswordForm } from '#web/features/users/account/password-form.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'

export default function Password({ matches }: Route.ComponentProps) {
  const { user } = matches[2].loaderData
  const [changes, setChanges] = useState(0)
  // The key resets the form when another tab changes the account, and after a change.
  return (
    <Card title="修改密码">
      <PasswordForm key={`${user.id} ${changes}`} username={user.username} onChanged={() => setChanges(changes + 1)} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '修改密码' })
}
