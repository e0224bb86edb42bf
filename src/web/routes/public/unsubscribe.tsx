import { useSearchParams } from 'react-router'
import type { Route } from './+types/unsubscribe.ts'
import { SignInPage } from '#web/features/users/sign-in/sign-in-page.tsx'
import { UnsubscribeForm } from '#web/features/users/notifications/unsubscribe-form.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'

export const handle = { queryKeys: ['token'] }

export default function Unsubscribe() {
  const { system } = useSite().settings
  const [query] = useSearchParams()
  return (
    <SignInPage title="退订邮件" background={system.login_background}>
      <UnsubscribeForm token={query.get('token') ?? ''} />
    </SignInPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '退订邮件', isHidden: true })
}
