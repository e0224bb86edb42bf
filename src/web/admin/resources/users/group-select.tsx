import { Flex, Select, Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Group } from '#shared/contract/group.ts'
import { dash } from '#web/admin/cells.tsx'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import type { Field } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

export function groupSelect<K extends string>(
  key: K,
  label: string,
  options: { help?: string } = {},
): Field<K, number[]> {
  return {
    key,
    label,
    empty: [],
    control: <GroupSelect placeholder="请选择，可多选" />,
    filter: <GroupSelect placeholder={label} singleLine />,
    ...options,
  }
}

export function GroupTags({ ids, isRoot = false }: { ids: number[]; isRoot?: boolean }) {
  const { data = [] } = useGroups()
  if (ids.length === 0) return dash
  return (
    <Flex wrap gap={4}>
      {isRoot && <Tag color="gold">站长</Tag>}
      {ids.map((id) => {
        const group = data.find((candidate) => candidate.id === id)
        return (
          <Tag key={id} color={group?.color || undefined} variant="filled">
            {group?.title ?? `#${id}`}
          </Tag>
        )
      })}
    </Flex>
  )
}

export async function groupNames(ids: readonly number[]): Promise<string> {
  const groups = await loadGroups()
  return ids.map((id) => groups.find((group) => group.id === id)?.title ?? `#${id}`).join('、')
}

interface GroupSelectProps {
  id?: string
  value?: number[]
  placeholder?: string
  className?: string
  'aria-label'?: string
  /** Keeps one line, however many are selected. */
  singleLine?: boolean
  onChange?: (value: number[]) => void
}

function GroupSelect({ singleLine, ...rest }: GroupSelectProps) {
  const { data, error, isLoading } = useGroups()
  return (
    <Select
      {...rest}
      mode="multiple"
      allowClear
      maxTagCount={singleLine ? 'responsive' : undefined}
      showSearch={{ optionFilterProp: 'label' }}
      loading={isLoading}
      notFoundContent={error ? getErrorMessage(error) : undefined}
      options={data?.map((group) => ({ value: group.id, label: group.title }))}
    />
  )
}

/** Every row of a list asks for the groups: requests within a few seconds share one response. */
function useGroups() {
  return useQuery('groups', loadGroups)
}

const maxAgeMs = 5000
let cached: { at: number; groups: Promise<Group[]> } | undefined

function loadGroups(): Promise<Group[]> {
  if (cached && Date.now() - cached.at < maxAgeMs) return cached.groups
  const groups = api(contract.groups.list).then(({ group }) => group)
  cached = { at: Date.now(), groups }
  groups.catch(() => (cached = undefined))
  return groups
}
