import { Select, Spin } from 'antd'
import { useRef, useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { useAnswer } from '#web/admin/engine/answer.ts'
import { api } from '#web/lib/api.ts'

interface UserChoiceProps {
  id?: string
  className?: string
  'aria-label'?: string
  value?: number[]
  placeholder?: string
  /** On one line, however many are chosen. */
  terse?: boolean
  onChange?: (value: number[]) => void
}

interface Choice {
  value: number
  label: string
}

const nobody: number[] = []
const typingPause = 300

/** Looks users up on the server while one types; names of those already chosen are fetched by their numbers. */
export function UserChoice({ value = nobody, terse, onChange, ...rest }: UserChoiceProps) {
  const [words, setWords] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const found = useAnswer(() => findUsers({ wd: words, size: 20, page: 1 }), words)
  const chosen = useAnswer(() => (value.length > 0 ? findUsers({ id: value }) : Promise.resolve([])), value.join())
  const search = (typed: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setWords(typed.trim()), typingPause)
  }
  return (
    <Select
      {...rest}
      mode="multiple"
      allowClear
      maxTagCount={terse ? 'responsive' : undefined}
      value={value}
      onChange={onChange}
      showSearch={{ filterOption: false, onSearch: search }}
      options={merged(chosen.data ?? value.map((number) => ({ value: number, label: `#${number}` })), found.data ?? [])}
      notFoundContent={found.data ? '没有找到用户' : (found.problem ?? <Spin size="small" />)}
    />
  )
}

async function findUsers(ask: { wd?: string; id?: number[]; page?: number; size?: number }): Promise<Choice[]> {
  const { user } = await api(contract.users.list, ask)
  return user.map(({ id, username, realname }) => ({
    value: id,
    label: realname ? `${username}（${realname}）` : username,
  }))
}

function merged(first: Choice[], second: Choice[]): Choice[] {
  return [...new Map([...second, ...first].map((choice) => [choice.value, choice])).values()]
}
