import { FilterOutlined } from '@ant-design/icons'
import { Button, Flex, Input } from 'antd'
import { cloneElement, useState } from 'react'
import { toSearchParams } from '#shared/wire.ts'
import styles from '#web/admin/engine/engine.module.css'
import type { ListQuery } from '#web/admin/engine/listing/listing.ts'
import type { Field, Resource } from '#web/admin/resource.ts'

interface FilterBarProps {
  resource: Resource
  query: ListQuery
  onChange: (changes: Record<string, string[]>) => void
}

/** More filters than these have lines of their own, above the buttons. */
const maxBeside = 4

/** Search box and filters; their values are in the query string. On a narrow screen the filters fold. */
export function FilterBar({ resource, query, onChange }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const active = Object.keys(query.filters).length
  const isActive = query.wd !== '' || active > 0
  const folds = resource.filters.length > 1
  const bar = resource.filters.length > maxBeside ? styles.allFilters : styles.filters
  const clear = () =>
    onChange(Object.fromEntries(['wd', ...resource.filters.map(({ key }) => key)].map((key) => [key, []])))
  return (
    <Flex
      wrap
      gap={8}
      component="search"
      className={[bar, folds && !isOpen && styles.folded].filter(Boolean).join(' ')}
    >
      {resource.searchable && (
        // The key resets the box when the query string changes under it (back, clear).
        <Input.Search
          key={query.wd}
          defaultValue={query.wd}
          allowClear
          enterButton
          placeholder="搜索关键字"
          aria-label="搜索关键字"
          className={styles.search}
          onSearch={(text) => onChange({ wd: text.trim() ? [text.trim()] : [] })}
        />
      )}
      {folds && (
        <Button
          icon={<FilterOutlined />}
          aria-expanded={isOpen}
          className={styles.foldButton}
          onClick={() => setOpen(!isOpen)}
        >
          {active > 0 ? `筛选（${active}）` : '筛选'}
        </Button>
      )}
      {resource.filters.map((field) => (
        <Filter key={field.key} field={field} value={query.filters[field.key]} onChange={onChange} />
      ))}
      {isActive && (
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
  const apply = (selected: unknown) => onChange({ [field.key]: toParams(field.key, selected) })
  if (!field.filter) return null
  if (field.filter === 'text') return <TextFilter label={field.label} value={value} onApply={apply} />
  const props = { value, onChange: apply, 'aria-label': field.label }
  const className = field.wideFilter ? styles.wideFilter : styles.filter
  return <div className={className}>{cloneElement(field.filter, props)}</div>
}

/** Applied with Enter or on blur, not at each key. */
function TextFilter({ label, value, onApply }: { label: string; value: unknown; onApply: (text: string) => void }) {
  const current = typeof value === 'string' ? value : ''
  const apply = (text: string) => text.trim() !== current && onApply(text.trim())
  return (
    <div className={styles.filter}>
      <Input
        key={current}
        allowClear
        defaultValue={current}
        placeholder={label}
        aria-label={label}
        onPressEnter={(event) => apply(event.currentTarget.value)}
        onBlur={(event) => apply(event.target.value)}
        onClear={() => apply('')}
      />
    </div>
  )
}

function toParams(key: string, value: unknown): string[] {
  if (value === undefined || value === null || value === '') return []
  return toSearchParams({ [key]: value }).getAll(key)
}
