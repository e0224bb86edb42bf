import type { Route } from './+types/oauth.ts'
import { OauthReturn, toOauthType } from '#web/features/users/oauth/oauth-return.tsx'
import { SignInPage } from '#web/features/users/sign-in/sign-in-page.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'

/** Where other sites send the browser back to, and where an account is bound that no member has yet. */
export default function Oauth({ params: { type } }: Route.ComponentProps) {
  const { system } = useSite().settings
  return (
    <SignInPage title={type === 'wechatmp' ? '小程序扫码登录' : '第三方登录'} background={system.login_background}>
      <OauthReturn key={type} type={toOauthType(type)} />
    </SignInPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '第三方登录' })
}
