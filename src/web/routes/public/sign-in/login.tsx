import { Link, useSearchParams } from 'react-router'
import type { Route } from './+types/login.ts'
import { SignInPage } from '#web/features/users/sign-in/sign-in-page.tsx'
import { LaterLogins } from '#web/features/users/sign-in/later-logins.tsx'
import { LoginMethods } from '#web/features/users/sign-in/login-methods.tsx'
import { signOut } from '#web/domain/account.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { isSignedIn, useSession } from '#web/lib/session.ts'
import { useSite } from '#web/domain/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SafeHtml } from '#web/ui/safe-html.tsx'

export const handle = { queryKeys: ['redirect'] }

export default function Login() {
  const { security, system } = useSite().settings
  const session = useSession()
  const [query] = useSearchParams()
  return (
    <SignInPage
      title="登录"
      background={system.login_background}
      lead={
        security.enable_register &&
        !security.is_close && (
          <>
            还没有账号？
            <Link to={`/register?${query}`} className="text-accent hover:underline">
              注册一个
            </Link>
          </>
        )
      }
    >
      {security.is_close && (
        <div className="mb-5">
          <Notice tone="warning">
            <SafeHtml html={security.close_statement || '网站暂时关闭，请稍后再来。'} className="[&_a]:underline" />
          </Notice>
        </div>
      )}
      {security.is_close && isSignedIn(session) ? <MembersExcluded name={session.user.username} /> : <LoginMethods />}
      <LaterLogins />
    </SignInPage>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '登录' })
}

function MembersExcluded({ name }: { name: string }) {
  const signOutAndReload = async () => {
    await signOut()
    location.reload()
  }
  return (
    <div className="space-y-4">
      <p>{name}，您已登录，但网站关闭期间只有管理人员可以访问。</p>
      <Button wide onClick={() => void signOutAndReload()}>
        退出，换一个账号
      </Button>
    </div>
  )
}
