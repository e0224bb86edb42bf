import { useSearchParams } from 'react-router'
import type { Route } from './+types/invite.ts'
import { InvitationForm } from '#web/features/users/sign-in/invitation-form.tsx'
import { SignInPage } from '#web/features/users/sign-in/sign-in-page.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'

export const handle = { queryKeys: ['token'] }

export default function Invite() {
  const { system } = useSite().settings
  const token = useSearchParams()[0].get('token') ?? ''
  return (
    <SignInPage title="接受邀请" background={system.login_background}>
      <InvitationForm key={token} token={token} />
    </SignInPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '接受邀请', isHidden: true })
}
