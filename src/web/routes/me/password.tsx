import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/password.ts'
import { secondFactor } from '#shared/contract/account-security.ts'
import { currentUser } from '#shared/contract/current-user.ts'
import { PasswordForm } from '#web/features/users/account/password-form.tsx'
import { refreshRights } from '#web/domain/account.ts'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'

export const clientLoader = load(async ({ api }) => {
  const [security, { password_owed }] = await Promise.all([api(secondFactor.get), api(currentUser.permission)])
  return { security, isOwed: password_owed }
}).client

export default function Password({ matches, loaderData: { security, isOwed } }: Route.ComponentProps) {
  const { user } = matches[2].loaderData
  const [changes, setChanges] = useState(0)
  const { revalidate } = useRevalidator()
  const showChanged = () => {
    setChanges(changes + 1)
    void refreshRights()
    void revalidate()
  }
  // The key resets the form when another tab changes the account, and after a change.
  return (
    <Card title={security.has_password ? '修改密码' : '设置密码'}>
      <PasswordForm
        key={`${user.id} ${changes}`}
        username={user.username}
        hasPassword={security.has_password}
        isOwed={isOwed}
        onChanged={showChanged}
      />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '修改密码' })
}
