import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined } from '@ant-design/icons'
import { Button, Empty, Flex, Input, Select, Spin, Tag } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import { maxTopicEntries, type TopicCandidate, type TopicEntry } from '#shared/contract/topics.ts'
import { ContentType, contentTypeLabels } from '#shared/enums.ts'
import styles from '#web/admin/controls/controls.module.css'
import { getErrorMessage } from '#web/admin/engine/feedback.ts'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface TopicEntriesInputProps {
  id?: string
  value?: TopicEntry[]
  onChange?: (value: TopicEntry[]) => void
}

const noEntries: TopicEntry[] = []
const typingPauseMs = 300

/** The documents and articles of a topic: found by title or address, put in order, each with the editor's note. */
export function TopicEntriesInput({ id, value = noEntries, onChange }: TopicEntriesInputProps) {
  const [keyword, setKeyword] = useState('')
  const found = useQuery(keyword, () => api(contract.topics.candidates, { wd: keyword }), {
    enabled: keyword !== '',
    debounceMs: typingPauseMs,
  })
  const known = useQuery(value.map(toKey).toSorted().join(), () => loadTitles(value), { enabled: value.length > 0 })
  const titles = new Map(
    [...(known.data ?? []), ...(found.data?.candidate ?? [])].map((candidate) => [toKey(candidate), candidate]),
  )
  const offered = (found.data?.candidate ?? []).filter((candidate) => !value.some(isSame(candidate)))
  const add = (key: string) => {
    const candidate = titles.get(key)
    if (candidate) onChange?.([...value, { type: candidate.type, id: candidate.id, note: '' }])
    setKeyword('')
  }
  const move = (from: number, to: number) => {
    const entry = value[from]
    if (entry) onChange?.(value.toSpliced(from, 1).toSpliced(to, 0, entry))
  }
  return (
    <Flex vertical gap={8}>
      <Select
        id={id}
        value={null}
        placeholder="输入标题搜索，或粘贴文档、文章的网址"
        disabled={value.length >= maxTopicEntries}
        showSearch={{ filterOption: false, searchValue: keyword, onSearch: (text) => setKeyword(text.trimStart()) }}
        onSelect={(key: string | null) => key !== null && add(key)}
        options={offered.map((candidate) => ({ value: toKey(candidate), label: describe(candidate) }))}
        notFoundContent={keyword === '' ? null : renderNotFound(found)}
      />
      {value.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有收录" />}
      <ol className={styles.entries} aria-label="收录的文档和文章">
        {value.map((entry, index) => {
          const candidate = titles.get(toKey(entry))
          const title = candidate?.title ?? `#${entry.id}`
          return (
            <li key={toKey(entry)}>
              <Flex gap={8} align="center">
                <Tag>{contentTypeLabels[entry.type]}</Tag>
                <span className={styles.entryTitle}>{title}</span>
                {candidate && !candidate.is_public && <Tag color="orange">不是人人可见</Tag>}
                <Button
                  size="small"
                  icon={<ArrowUpOutlined />}
                  aria-label={`上移：${title}`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                />
                <Button
                  size="small"
                  icon={<ArrowDownOutlined />}
                  aria-label={`下移：${title}`}
                  disabled={index === value.length - 1}
                  onClick={() => move(index, index + 1)}
                />
                <Button
                  size="small"
                  icon={<DeleteOutlined />}
                  aria-label={`移除：${title}`}
                  onClick={() => onChange?.(value.toSpliced(index, 1))}
                />
              </Flex>
              <Input
                value={entry.note}
                maxLength={300}
                placeholder="编者的话，可以不写"
                aria-label={`编者的话：${title}`}
                onChange={({ target }) => onChange?.(value.with(index, { ...entry, note: target.value }))}
              />
            </li>
          )
        })}
      </ol>
    </Flex>
  )
}

async function loadTitles(entries: readonly TopicEntry[]): Promise<TopicCandidate[]> {
  const idsOf = (type: ContentType) => entries.filter((entry) => entry.type === type).map(({ id }) => id)
  const { candidate } = await api(contract.topics.candidates, {
    document_id: idsOf(ContentType.Document),
    article_id: idsOf(ContentType.Article),
  })
  return candidate
}

function renderNotFound({ data, error }: { data: unknown; error: unknown }) {
  if (data) return '没有找到文档或文章'
  return error ? getErrorMessage(error) : <Spin size="small" />
}

function describe({ type, title, is_public }: TopicCandidate): string {
  return `${contentTypeLabels[type]}：${title}${is_public ? '' : '（不是人人可见）'}`
}

function toKey({ type, id }: { type: ContentType; id: number }): string {
  return `${type} ${id}`
}

function isSame(candidate: TopicCandidate): (entry: TopicEntry) => boolean {
  return (entry) => toKey(entry) === toKey(candidate)
}
