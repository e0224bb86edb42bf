import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input } from 'antd'
import { ContentType } from '#shared/enums.ts'
import { CategoryPathSelect } from '#web/admin/controls/category-path-select.tsx'
import styles from '#web/admin/resources/spider/spider.module.css'

/** The categories are those of what the form's source is for. */
function useTarget(): ContentType {
  const target: ContentType | undefined = Form.useWatch('target')
  return target ?? ContentType.Document
}

interface TargetCategoryProps {
  id?: string
  value?: number[]
  onChange?: (value: number[]) => void
}

export function TargetCategory(props: TargetCategoryProps) {
  return <CategoryPathSelect type={useTarget()} placeholder="发布前再选也可以" {...props} />
}

interface CategoryRule {
  pattern: string
  category_id: number[]
}

interface CategoryRulesProps {
  value?: CategoryRule[]
  onChange?: (value: CategoryRule[]) => void
}

const noRules: CategoryRule[] = []

/** A pattern and its category a row. */
export function CategoryRules({ value = noRules, onChange }: CategoryRulesProps) {
  return (
    <div className={styles.rules}>
      {/* Rows have no other identity than their place. */}
      {Object.entries(value).map(([place, rule]) => {
        const index = Number(place)
        return (
          <RuleRow
            key={place}
            number={index + 1}
            rule={rule}
            onChange={(changed) => onChange?.(value.with(index, changed))}
            onRemove={() => onChange?.(value.toSpliced(index, 1))}
          />
        )
      })}
      <Button
        type="dashed"
        size="small"
        icon={<PlusOutlined />}
        onClick={() => onChange?.([...value, { pattern: '', category_id: [] }])}
      >
        添加一条
      </Button>
    </div>
  )
}

interface RuleRowProps {
  number: number
  rule: CategoryRule
  onChange: (rule: CategoryRule) => void
  onRemove: () => void
}

function RuleRow({ number, rule, onChange, onRemove }: RuleRowProps) {
  return (
    <div className={styles.rule}>
      <Input
        aria-label={`第 ${number} 条的网址`}
        placeholder="/math/**"
        spellCheck={false}
        value={rule.pattern}
        onChange={({ target }) => onChange({ ...rule, pattern: target.value })}
      />
      <CategoryPathSelect
        aria-label={`第 ${number} 条的分类`}
        type={useTarget()}
        placeholder="分类"
        value={rule.category_id}
        onChange={(category_id) => onChange({ ...rule, category_id })}
      />
      <Button type="text" icon={<DeleteOutlined />} aria-label={`删除第 ${number} 条`} onClick={onRemove} />
    </div>
  )
}
