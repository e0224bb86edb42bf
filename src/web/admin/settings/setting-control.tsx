import { Input, InputNumber, Select, Switch } from 'antd'
import type { ReactElement } from 'react'
import type { Field } from '#shared/setting-fields.ts'
import type { ControlProps } from '#web/admin/resource.ts'
import { ColorInput } from '#web/admin/controls/color-input.tsx'
import { ImageInput } from '#web/admin/controls/image-input.tsx'
import { YuanInput } from '#web/admin/controls/yuan-input.tsx'
import { TrialUsers } from '#web/admin/settings/pay/trial-orders.tsx'
import { PaletteInput } from '#web/admin/settings/palette-input.tsx'
import { SecretInput } from '#web/admin/settings/secret-input.tsx'

const controls: Record<Field['kind'], (field: Field) => ReactElement<ControlProps>> = {
  text: () => <Input autoComplete="off" />,
  textarea: () => <Input.TextArea autoSize={{ minRows: 3, maxRows: 12 }} />,
  password: () => <SecretInput />,
  image: () => <ImageInput use="config" />,
  number: ({ min, max }) => <InputNumber style={{ width: '100%' }} precision={0} min={min} max={max} />,
  switch: () => <Switch />,
  select: ({ options }) => <Select options={toOptions(options)} />,
  'select-multi': ({ options }) =>
    options ? (
      <Select mode="multiple" allowClear options={toOptions(options)} placeholder="全部" />
    ) : (
      <Select
        mode="tags"
        open={false}
        suffixIcon={null}
        tokenSeparators={[',', '，', ' ', '\n']}
        placeholder="输入后按回车"
      />
    ),
}

function toOptions(options: Field['options'] = {}): { value: string; label: string }[] {
  return Object.entries(options).map(([value, label]) => ({ value, label }))
}

export function settingControl(name: string, field: Field): ReactElement<ControlProps> {
  if (field.kind === 'text' && name.endsWith('_color')) return <ColorInput />
  if (name === 'trial_users') return <TrialUsers />
  if (name === 'palette') return <PaletteInput />
  if (field.money) return <YuanInput />
  return controls[field.kind](field)
}
