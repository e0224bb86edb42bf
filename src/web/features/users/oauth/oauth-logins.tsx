import { useSearchParams } from 'react-router'
import { oauth } from '#shared/contract/oauth.ts'
import { OauthMark } from '#web/features/users/oauth/oauth-mark.tsx'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** Plain links: the browser leaves for the provider. Nothing is shown before they are known. */
export function OauthLogins() {
  const [query] = useSearchParams()
  const redirect = query.get('redirect') ?? ''
  const { data = [] } = useQuery('configs', () => api(oauth.configs))
  if (data.length === 0) return null
  return (
    <nav aria-label="其他登录方式" className="mt-6">
      <p className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        其他登录方式
      </p>
      <ul className="mt-4 grid grid-cols-2 gap-3">
        {data.map(({ type, title, icon, authorize_url }) => (
          <li key={type} className="min-w-0 last:odd:col-span-2">
            <a
              href={withRedirect(authorize_url, redirect)}
              className="flex h-11 items-center justify-center gap-2 rounded-md border border-line bg-surface px-3 text-sm font-medium hover:border-edge"
            >
              <OauthMark {...{ type, icon }} />
              <span className="truncate">{type === 'wechatmp' ? '小程序扫码' : title}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function withRedirect(address: string, redirect: string): string {
  const url = new URL(address)
  if (redirect) url.searchParams.set('redirect', redirect)
  return url.href
}
