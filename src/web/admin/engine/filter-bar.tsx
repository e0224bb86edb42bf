import { Button, Flex, Input } from 'antd'
import { cloneElement } from 'react'
import { toSearchParams } from '#shared/wire.ts'
import type { Query } from '#web/admin/engine/listing.ts'
import type { Field, Resource } from '#web/admin/resource.ts'

interface FilterBarProps {
  resource: Resource
  query: Query
  onChange: (changes: Record<string, string[]>) => void
}

/** Search box and filters; what they say stands in the address. */
export function FilterBar({ resource, query, onChange }: FilterBarProps) {
  const active = query.wd !== '' || Object.keys(query.filters).length > 0
  const clear = () =>
    onChange(Object.fromEntries(['wd', ...resource.filters.map(({ key }) => key)].map((key) => [key, []])))
  return (
    <Flex wrap gap={8} component="search" className="wa-filters">
      {resource.searchable && (
        // The key starts the box anew when the address changes under it (back, reset).
        <Input.Search
          key={query.wd}
          defaultValue={query.wd}
          allowClear
          enterButton
          placeholder="搜索关键字"
          aria-label="搜索关键字"
          className="wa-search"
          onSearch={(words) => onChange({ wd: words.trim() ? [words.trim()] : [] })}
        />
      )}
      {resource.filters.map((field) => (
        <Filter key={field.key} field={field} value={query.filters[field.key]} onChange={onChange} />
      ))}
      {active && (
        <Button type="link" onClick={clear}>
          清除筛选
        </Button>
      )}
    </Flex>
  )
}

interface FilterProps {
  field: Field
  value: unknown
  onChange: FilterBarProps['onChange']
}

function Filter({ field, value, onChange }: FilterProps) {
  const apply = (chosen: unknown) => onChange({ [field.key]: toTexts(field.key, chosen) })
  if (!field.filter) return null
  if (field.filter === 'text') return <TextFilter label={field.label} value={value} onApply={apply} />
  const given = { value, onChange: apply, className: 'wa-fill', 'aria-label': field.label }
  return <div className="wa-filter">{cloneElement(field.filter, given)}</div>
}

/** Text is applied with Enter or on leaving the box, not at each letter. */
function TextFilter({ label, value, onApply }: { label: string; value: unknown; onApply: (text: string) => void }) {
  const before = typeof value === 'string' ? value : ''
  const apply = (words: string) => words.trim() !== before && onApply(words.trim())
  return (
    <div className="wa-filter">
      <Input
        key={before}
        allowClear
        defaultValue={before}
        placeholder={label}
        aria-label={label}
        onPressEnter={(event) => apply(event.currentTarget.value)}
        onBlur={(event) => apply(event.target.value)}
        onClear={() => apply('')}
      />
    </div>
  )
}

function toTexts(key: string, chosen: unknown): string[] {
  if (chosen === undefined || chosen === null || chosen === '') return []
  return toSearchParams({ [key]: chosen }).getAll(key)
}
