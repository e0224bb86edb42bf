import { Flex, Select, Tag } from 'antd'
import { contract } from '#shared/contract/contract.ts'
import type { Group } from '#shared/contract/access.ts'
import { dash } from '#web/admin/cells.tsx'
import { useAnswer } from '#web/admin/engine/answer.ts'
import type { Field } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

export function groupChoice<K extends string>(key: K, label: string): Field<K, number[]> {
  return {
    key,
    label,
    empty: [],
    control: <GroupSelect placeholder="请选择，可多选" />,
    filter: <GroupSelect placeholder={label} terse />,
  }
}

export function GroupTags({ ids }: { ids: number[] }) {
  const { data = [] } = useGroups()
  if (ids.length === 0) return dash
  return (
    <Flex wrap gap={4}>
      {ids.map((id) => {
        const group = data.find((one) => one.id === id)
        return (
          <Tag key={id} color={group?.color || undefined} variant="filled">
            {group?.title ?? `#${id}`}
          </Tag>
        )
      })}
    </Flex>
  )
}

interface GroupSelectProps {
  id?: string
  value?: number[]
  placeholder?: string
  className?: string
  'aria-label'?: string
  /** On one line, however many are chosen. */
  terse?: boolean
  onChange?: (value: number[]) => void
}

function GroupSelect({ terse, ...rest }: GroupSelectProps) {
  const { data, problem } = useGroups()
  return (
    <Select
      {...rest}
      mode="multiple"
      allowClear
      maxTagCount={terse ? 'responsive' : undefined}
      showSearch={{ optionFilterProp: 'label' }}
      loading={!data && !problem}
      notFoundContent={problem}
      options={data?.map((group) => ({ value: group.id, label: group.title }))}
    />
  )
}

/** Every row of a list asks for the names of its groups: within a moment they share one answer. */
function useGroups() {
  return useAnswer(sharedGroups)
}

const shareFor = 5000
let shared: { at: number; answer: Promise<Group[]> } | undefined

function sharedGroups(): Promise<Group[]> {
  if (shared && Date.now() - shared.at < shareFor) return shared.answer
  const answer = api(contract.groups.list).then(({ group }) => group)
  shared = { at: Date.now(), answer }
  answer.catch(() => (shared = undefined))
  return answer
}
