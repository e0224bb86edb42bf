import { Select, Spin } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import { api } from '#web/lib/api.ts'
import { type QueryResult, useQuery } from '#web/lib/use-query.ts'

interface UserSelectProps {
  id?: string
  className?: string
  'aria-label'?: string
  /** A filter of one user may hold it in a list. */
  value?: number | number[]
  placeholder?: string
  multiple?: boolean
  /** Keeps one line, however many are selected. */
  singleLine?: boolean
  onChange?: (value: number | number[] | undefined) => void
}

interface UserOption {
  value: number
  label: string
}

const noUsers: number[] = []
const typingPauseMs = 300

/** Searches users on the server while the administrator types; selected users are loaded by their ids. */
export function UserSelect({ value = noUsers, multiple, singleLine, onChange, ...rest }: UserSelectProps) {
  const ids = typeof value === 'number' ? [value] : value
  const [keyword, setKeyword] = useState('')
  const debounceMs = keyword ? typingPauseMs : 0
  const hits = useQuery(keyword, () => findUsers({ wd: keyword, size: 20, page: 1 }), { debounceMs })
  const selected = useQuery(ids.join(), () => findUsers({ id: ids }), { enabled: ids.length > 0 })
  const selectedOptions = selected.data ?? ids.map((id) => ({ value: id, label: `#${id}` }))
  return (
    <Select
      {...rest}
      mode={multiple ? 'multiple' : undefined}
      allowClear
      maxTagCount={singleLine ? 'responsive' : undefined}
      value={multiple ? ids : ids[0]}
      onChange={onChange}
      showSearch={{ filterOption: false, onSearch: (text) => setKeyword(text.trim()) }}
      options={mergeOptions(selectedOptions, hits.data ?? [])}
      notFoundContent={renderNotFound(hits)}
    />
  )
}

function renderNotFound({ data, error }: QueryResult<UserOption[]>) {
  if (data) return '没有找到用户'
  return error ? getErrorMessage(error) : <Spin size="small" />
}

async function findUsers(params: { wd?: string; id?: number[]; page?: number; size?: number }): Promise<UserOption[]> {
  const { user } = await api(contract.users.list, params)
  return user.map(({ id, username, realname }) => ({
    value: id,
    label: realname ? `${username}（${realname}）` : username,
  }))
}

function mergeOptions(selected: UserOption[], hits: UserOption[]): UserOption[] {
  return [...new Map([...hits, ...selected].map((choice) => [choice.value, choice])).values()]
}
