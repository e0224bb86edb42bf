import { Link, useSearchParams } from 'react-router'
import type { Route } from './+types/register.ts'
import { AccountPage } from '#web/features/users/account-page.tsx'
import { RegisterForm } from '#web/features/users/register-form.tsx'
import { pageMeta } from '#web/lib/seo.ts'
import { useSite } from '#web/lib/site.ts'

export default function Register() {
  const { system } = useSite().settings
  const [query] = useSearchParams()
  return (
    <AccountPage
      title="注册"
      background={system.register_background}
      lead={
        <>
          已有账号？
          <Link to={`/login?${query}`} className="text-accent hover:underline">
            直接登录
          </Link>
        </>
      }
    >
      <RegisterForm />
    </AccountPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '注册' })
}
