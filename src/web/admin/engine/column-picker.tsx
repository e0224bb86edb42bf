import { SettingOutlined } from '@ant-design/icons'
import { Button, Checkbox, Flex, Popover, Tooltip } from 'antd'
import type { AnyColumn } from '#web/admin/resource.ts'

interface ColumnPickerProps {
  columns: AnyColumn[]
  visible: string[]
  onChange: (keys: string[]) => void
}

export function ColumnPicker({ columns, visible, onChange }: ColumnPickerProps) {
  const defaultColumns = columns.filter(({ hiddenByDefault }) => !hiddenByDefault).map(({ key }) => key)
  const content = (
    <Flex vertical gap={8}>
      <Checkbox.Group value={visible} onChange={onChange}>
        <Flex vertical gap={6}>
          {columns.map(({ key, label }) => (
            <Checkbox key={key} value={key} disabled={visible.length === 1 && visible.includes(key)}>
              {label}
            </Checkbox>
          ))}
        </Flex>
      </Checkbox.Group>
      <Button size="small" onClick={() => onChange(defaultColumns)}>
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
