import { documents } from '#shared/contract/documents.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatSize } from '#shared/format.ts'
import type { UploadRules } from '#web/features/documents/upload/acceptance.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { perTab } from '#web/lib/browser/storage.ts'
import { useQuery } from '#web/lib/use-query.ts'

type Allowance = Reply<typeof documents.uploadAllowance>

/** What is accepted, what it earns today, and what is left of the limits. */
export function UploadAllowance({ rules, submitted }: { rules: UploadRules; submitted: number }) {
  const creditName = useCreditName()
  // Asked again as files are published: each of them uses up a part.
  const { data } = useQuery(submitted, () => api(documents.uploadAllowance))
  return (
    <div className="space-y-1 text-sm text-muted">
      <p>
        单个文件最大 {formatSize(rules.limit)}，支持 {rules.exts.map((ext) => ext.slice(1)).join('、')}
      </p>
      <p className="min-h-5">{data && describeAllowance(data, creditName)}</p>
    </div>
  )
}

function describeAllowance(
  { reward, rewards_left, files_left, bytes_left, is_reviewed }: Allowance,
  creditName: string,
): string {
  const rewards =
    rewards_left > 0
      ? `公开发布一份奖励 ${reward} ${creditName}，今天还有 ${rewards_left} 份有奖励`
      : '今天的上传奖励已经领完，仍可继续上传'
  const left = [files_left >= 0 && `${files_left} 个`, bytes_left >= 0 && formatSize(bytes_left)].filter(Boolean)
  return [reward > 0 && rewards, left.length > 0 && `今天还能上传 ${left.join('、')}`, is_reviewed && '审核通过后公开']
    .filter(Boolean)
    .join('；')
}

interface RightsFieldProps {
  checked: boolean
  problem: string
  onChange: (checked: boolean) => void
}

/** The member's word on the rights to the files, asked once in each tab. */
export function RightsField({ checked, problem, onChange }: RightsFieldProps) {
  const { agreement, copyright } = useSite().settings.footer
  const links = [
    [agreement, '用户协议'],
    [copyright, '免责声明'],
  ].filter(([href]) => href !== '')
  return (
    <div className="text-sm">
      <label className="inline-flex min-h-8 cursor-pointer items-start gap-2">
        <input
          type="checkbox"
          checked={checked}
          aria-invalid={problem !== '' || undefined}
          aria-describedby="rights-problem"
          onChange={({ target }) => onChange(target.checked)}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        我是这些文件的作者，或已获得作者授权，可以公开发布和收费
      </label>
      {links.length > 0 && (
        <p className="pl-6 text-muted">
          上传即表示同意
          {links.map(([href, title]) => (
            <a key={title} href={href} target="_blank" rel="noreferrer" className="ml-1 text-accent hover:underline">
              《{title}》
            </a>
          ))}
        </p>
      )}
      <p id="rights-problem" aria-live="polite" className="text-danger not-empty:mt-1 not-empty:pl-6">
        {problem}
      </p>
    </div>
  )
}

const key = 'upload-rights'

/** By the same member, in this tab. */
export const statedRights = {
  read: (user: number) => perTab.read(key) === String(user),
  write: (user: number, isStated: boolean) => (isStated ? void perTab.write(key, String(user)) : perTab.remove(key)),
}
