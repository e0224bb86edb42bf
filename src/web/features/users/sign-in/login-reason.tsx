import { findReason } from '#web/lib/login-intent.ts'
import { LibraryCardDrawing } from '#web/ui/drawings/library-card.tsx'

const areas: Record<string, string> = {
  upload: '上传文档',
  post: '发布文章',
  order: '继续付款',
  joinvip: '开通 VIP',
}

/** Why the visitor is asked to log in; what they wanted goes on afterwards. */
export function LoginReason({ path }: { path: string }) {
  const area = areas[path.split(/[/?#]/)[1] ?? '']
  const reason = findReason(path) || (area && `登录后即可${area}`)
  if (!reason) return null
  return (
    <p className="mt-3 flex items-center gap-3.5 rounded-md bg-accent-soft px-3.5 py-2.5 text-sm text-accent">
      <LibraryCardDrawing className="w-14 shrink-0" />
      {reason}
    </p>
  )
}
