import { SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Flex, Popover, Tooltip } from 'antd'
import type { AnyColumn } from '#web/admin/resource.ts'

interface ColumnChoiceProps {
  columns: AnyColumn[]
  shown: string[]
  onChange: (keys: string[]) => void
}

export function ColumnChoice({ columns, shown, onChange }: ColumnChoiceProps) {
  const usual = columns.filter(({ extra }) => !extra).map(({ key }) => key)
  const content = (
    <Flex vertical gap={8}>
      <Checkbox.Group value={shown} onChange={onChange}>
        <Flex vertical gap={6}>
          {columns.map(({ key, label }) => (
            <Checkbox key={key} value={key} disabled={shown.length === 1 && shown.includes(key)}>
              {label}
            </Checkbox>
          ))}
        </Flex>
      </Checkbox.Group>
      <Button size="small" onClick={() => onChange(usual)}>
        恢复默认
      </Button>
    </Flex>
  )
  return (
    <Popover trigger="click" placement="bottomRight" title="显示的列" content={content}>
      <Tooltip title="显示的列">
        <Button icon={<SettingOutlined />} aria-label="显示的列" />
      </Tooltip>
    </Popover>
  )
}
