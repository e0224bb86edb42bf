import { Check } from 'lucide-react'
import type { PublicSettings } from '#shared/contract/settings.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'

const title = '注册之后'

/** What a member gets here, beside the registration form. */
export function MemberGains() {
  const gains = listGains(useSite().settings, useCreditName())
  return (
    <section
      aria-label={title}
      className="mx-auto w-full max-w-[26rem] rounded-lg border border-line bg-surface px-4 py-3 lg:mx-0"
    >
      <h2 className="mb-2 text-base max-lg:hidden">{title}</h2>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted lg:flex-col">
        {gains.map((gain) => (
          <li key={gain} className="flex gap-1.5">
            <Check size={16} className="mt-0.5 shrink-0 text-accent" aria-hidden />
            {gain}
          </li>
        ))}
      </ul>
    </section>
  )
}

type Facts = Pick<PublicSettings, 'score' | 'default_group'> & {
  download: Pick<PublicSettings['download'], 'times_every_day' | 'times_every_ip'>
}

/** Nothing that the owner has switched off. */
export function listGains({ score, download, default_group }: Facts, creditName: string): string[] {
  const credits = (count: number) => `${count} 个${creditName}`
  const { register, sign_in, upload_document, upload_document_limit } = score
  const downloads = Math.min(download.times_every_day, download.times_every_ip)
  const isRewarded = upload_document > 0 && upload_document_limit > 0
  const { enable_upload, enable_article } = default_group
  return [
    register > 0 && `注册即得 ${credits(register)}`,
    sign_in > 0 && `每日签到得 ${credits(sign_in)}`,
    enable_upload && isRewarded && `上传文档得 ${credits(upload_document)}，每天 ${upload_document_limit} 份`,
    enable_upload && !isRewarded && '上传自己的文档',
    enable_article && '发布自己的文章',
    downloads > 0 && `每天可以下载 ${downloads} 份文档`,
    '收藏、笔记和读到的页，换一台设备也在',
  ].filter((gain) => gain !== false)
}
