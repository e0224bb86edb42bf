import { useSite } from '#web/domain/site.ts'
import { useHydrated } from '#web/lib/browser/hydrated.ts'

/** Why no passkey can be added here; empty if one can. */
export function usePasskeyObstacle(): string {
  const { domain } = useSite().settings.system
  const isHydrated = useHydrated()
  if (!isHydrated) return ''
  if (!domain) return '网站还没有设置域名，暂时不能使用通行密钥。'
  if (domain !== location.origin) return `请从 ${domain} 访问本站，再添加通行密钥。`
  return 'PublicKeyCredential' in window ? '' : '这个浏览器不支持通行密钥，请换用新版的浏览器。'
}
