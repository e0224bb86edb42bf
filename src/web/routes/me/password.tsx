import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Route } from './+types/password.ts'
import { sessions } from '#shared/contract/users.ts'
import { DeviceList } from '#web/features/users/account/device-list.tsx'
import { PasswordForm } from '#web/features/users/account/password-form.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'

export const clientLoader = load(async ({ api }) => ({ devices: (await api(sessions.list)).session })).client

export default function Password({ matches, loaderData: { devices } }: Route.ComponentProps) {
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
      <Card title="修改密码">
        <PasswordForm key={`${user.id} ${changes}`} username={user.username} onChanged={showChanged} />
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
