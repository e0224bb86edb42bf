import { Link, useSearchParams } from 'react-router'
import type { Route } from './+types/register.ts'
import { SignInPage } from '#web/features/users/sign-in/sign-in-page.tsx'
import { LaterLogins } from '#web/features/users/sign-in/later-logins.tsx'
import { MemberGains } from '#web/features/users/sign-in/member-gains.tsx'
import { RegisterMethods } from '#web/features/users/sign-in/register-methods.tsx'
import { pageMeta } from '#web/domain/seo.ts'
import { useSite } from '#web/domain/site.ts'

export const handle = { queryKeys: ['redirect'] }

export default function Register() {
  const { system, security } = useSite().settings
  const [query] = useSearchParams()
  return (
    <SignInPage
      title="注册"
      background={system.register_background}
      aside={security.enable_register && <MemberGains />}
      lead={
        <>
          已有账号？
          <Link to={`/login?${query}`} className="text-accent hover:underline">
            直接登录
          </Link>
        </>
      }
    >
      <RegisterMethods />
      <LaterLogins />
    </SignInPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '注册' })
}
