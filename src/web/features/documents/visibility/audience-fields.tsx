import { groups } from '#shared/contract/access.ts'
import { allCodes } from '#shared/codes.ts'
import { Visibility, visibilityLabels } from '#shared/enums.ts'
import type { Audience } from '#web/features/documents/visibility/audience.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { Skeleton } from '#web/ui/feedback/skeleton.tsx'
import { Select } from '#web/ui/forms/select.tsx'

interface AudienceFieldsProps {
  value: Audience
  onChange: (value: Audience) => void
  /** Shown once the form was sent. */
  problem?: string
}

/** Who may see a document, and whether they may download it. */
export function AudienceFields({ value, onChange, problem = '' }: AudienceFieldsProps) {
  return (
    <div className="space-y-3">
      <Select
        label="可见范围"
        value={String(value.visibility)}
        onChange={(code) => {
          const visibility = allCodes(Visibility).find((candidate) => String(candidate) === code)
          if (visibility !== undefined) onChange({ ...value, visibility })
        }}
        help={meanings[value.visibility]}
      >
        {allCodes(Visibility).map((code) => (
          <option key={code} value={code}>
            {visibilityLabels[code]}
          </option>
        ))}
      </Select>
      {value.visibility === Visibility.Groups && (
        <GroupChoice chosen={value.groups} onChange={(groups) => onChange({ ...value, groups })} problem={problem} />
      )}
      <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={value.downloadable}
          onChange={({ target }) => onChange({ ...value, downloadable: target.checked })}
          className={tickClass}
        />
        允许下载（不勾选时只能在线阅读）
      </label>
    </div>
  )
}

const meanings: Record<Visibility, string> = {
  [Visibility.Public]: '所有人都能看到，包括搜索引擎',
  [Visibility.Members]: '登录后才能看到',
  [Visibility.Groups]: '所选用户组的成员才能看到',
  [Visibility.Private]: '只有您和网站的管理人员能看到',
  [Visibility.Link]: '有分享链接的人才能看到，不出现在列表和搜索里；链接在编辑文档时生成',
}

interface GroupChoiceProps {
  chosen: readonly number[]
  onChange: (groups: number[]) => void
  problem: string
}

function GroupChoice({ chosen, onChange, problem }: GroupChoiceProps) {
  const { data, error, refetch } = useQuery('groups', async () => (await api(groups.list, { size: 100 })).group)
  if (error) return <ErrorState message="用户组没有加载成功" retry={refetch} />
  if (!data) return <Skeleton className="h-8 w-full" />
  return (
    <fieldset aria-describedby={problem ? 'audience-groups-note' : undefined}>
      <legend className="mb-1.5 text-sm font-medium">用户组</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {data.map(({ id, title }) => (
          <label key={id} className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
              }
              className={tickClass}
            />
            {title}
          </label>
        ))}
      </div>
      {data.length === 0 && <p className="text-sm text-muted">网站没有可以选择的用户组</p>}
      {problem && (
        <p id="audience-groups-note" role="alert" className="mt-1.5 text-sm text-danger">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

const tickClass = 'size-4 accent-accent'
