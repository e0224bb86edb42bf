import { loginPath } from '#web/domain/guard-rules.ts'
import { signOut } from '#web/domain/account.ts'
import { useSession } from '#web/lib/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'

/** In place of the back office, for members who may open none of its pages. */
export function NoAdminRights() {
  const { user } = useSession()
  const changeAccount = async () => {
    const path = loginPath(location)
    await signOut()
    location.assign(path)
  }
  return (
    <Page narrow>
      <title>没有权限</title>
      <main className="py-12 md:py-20">
        <p className="text-6xl font-bold text-accent tabular-nums md:text-7xl">403</p>
        <h1 className="mt-4 text-2xl md:text-3xl">您没有进入管理后台的权限</h1>
        <p className="mt-2 text-muted">
          当前登录的账号是“{user.username}”。如果需要管理网站，请联系站长把您加入有权限的用户组。
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <ButtonLink to="/" variant="primary">
            返回首页
          </ButtonLink>
          <Button onClick={() => void changeAccount()}>换一个账号登录</Button>
        </div>
      </main>
    </Page>
  )
}
