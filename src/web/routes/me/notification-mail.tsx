import { Link } from 'react-router'
import type { Route } from './+types/notification-mail.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { MailChoices } from '#web/features/users/notifications/mail-choices.tsx'
import { NotificationTabs } from '#web/features/users/notifications/notification-tabs.tsx'
import { load } from '#web/lib/load.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { Card } from '#web/ui/card.tsx'

export const clientLoader = load(({ api }) => api(notifications.choices)).client

export default function NotificationMailChoices({ loaderData: { choice, email, can_mail } }: Route.ComponentProps) {
  return (
    <Card title="我的通知">
      <NotificationTabs active="mail" />
      <p className="mb-3 text-sm text-muted">
        {!can_mail ? (
          '网站目前不发送通知邮件，下面的选择在开启之后生效。'
        ) : email ? (
          `这里的通知也可以发到 ${email}，每一种可以分别选择。已经读过的不会再发。`
        ) : (
          <>
            您还没有填写邮箱，收不到邮件。
            <Link to="/me/profile" className="text-accent hover:underline">
              填写邮箱
            </Link>
          </>
        )}
      </p>
      <MailChoices choices={choice} />
    </Card>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '通知的邮件设置' })
}
