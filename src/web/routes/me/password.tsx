import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/password.ts'
import { oauth } from '#shared/contract/oauth.ts'
import { sessions } from '#shared/contract/users.ts'
import { DeviceList } from '#web/features/users/account/device-list.tsx'
import { PasswordForm } from '#web/features/users/account/password-form.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'

export const clientLoader = load(async ({ api }) => {
  const [{ session }, { has_password }] = await Promise.all([api(sessions.list), api(oauth.own)])
  return { devices: session, hasPassword: has_password }
}).client

export default function Password({ matches, loaderData: { devices, hasPassword } }: Route.ComponentProps) {
  const { user } = matches[2].loaderData
  const { revalidate } = useRevalidator()
  const [changes, setChanges] = useState(0)
  const showChanged = () => {
    setChanges(changes + 1)
    void revalidate()
  }
  // The key resets the form when another tab changes the account, and after a change.
  return (
    <div className="space-y-6">
      <Card title={hasPassword ? '修改密码' : '设置密码'}>
        <PasswordForm
          key={`${user.id} ${changes}`}
          username={user.username}
          hasPassword={hasPassword}
          onChanged={showChanged}
        />
      </Card>
      <Card title="登录的设备">
        <DeviceList devices={devices} />
      </Card>
    </div>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '修改密码' })
}
