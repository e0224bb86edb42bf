import { Input, InputNumber, Select, Switch } from 'antd'
import { AdContent } from '#web/admin/controls/ad-content.tsx'
import { CategoryParent } from '#web/admin/controls/category-parent.tsx'
import { CategoryPath } from '#web/admin/controls/category-path.tsx'
import { ColorChoice } from '#web/admin/controls/color-choice.tsx'
import { FlagChoice } from '#web/admin/controls/flag-choice.tsx'
import { ImageInput } from '#web/admin/controls/image-input.tsx'
import { LanguageChoice } from '#web/admin/controls/language-choice.tsx'
import { MomentPicker } from '#web/admin/controls/moment-picker.tsx'
import { NavigationParent } from '#web/admin/controls/navigation-parent.tsx'
import { UserChoice } from '#web/admin/controls/user-choice.tsx'
import type { Field } from '#web/admin/resource.ts'
import type { Size } from '#web/lib/crop.ts'

/** Field builders: each fits only keys that take the values it makes. */

interface Traits {
  help?: string
  placeholder?: string
  required?: boolean
  half?: boolean
}

export function text<K extends string>(key: K, label: string, traits: Traits = {}): Field<K, string> {
  const { placeholder, ...rest } = traits
  return {
    key,
    label,
    empty: '',
    control: <Input placeholder={placeholder} autoComplete="off" />,
    filter: 'text',
    ...rest,
  }
}

export function textarea<K extends string>(key: K, label: string, traits: Traits = {}): Field<K, string> {
  const { placeholder, ...rest } = traits
  return {
    key,
    label,
    empty: '',
    control: <Input.TextArea autoSize={{ minRows: 3, maxRows: 10 }} placeholder={placeholder} />,
    ...rest,
  }
}

export function password<K extends string>(
  key: K,
  label: string,
  traits: Traits & { own?: boolean } = {},
): Field<K, string> {
  const { placeholder, own, ...rest } = traits
  const control = <Input.Password placeholder={placeholder} autoComplete={own ? 'current-password' : 'new-password'} />
  return { key, label, empty: '', control, ...rest }
}

export function url<K extends string>(key: K, label: string, traits: Traits = {}): Field<K, string> {
  const { placeholder = 'https://', ...rest } = traits
  return {
    key,
    label,
    empty: '',
    control: <Input inputMode="url" placeholder={placeholder} autoComplete="off" />,
    ...rest,
  }
}

export function number<K extends string>(
  key: K,
  label: string,
  traits: Traits & { empty?: number; unit?: string; min?: number; max?: number } = {},
): Field<K, number> {
  const { placeholder, empty = 0, unit, min, max, ...rest } = traits
  const control = (
    <InputNumber className="wa-fill" precision={0} suffix={unit} min={min} max={max} placeholder={placeholder} />
  )
  return { key, label, empty, control, ...rest }
}

export function toggle<K extends string>(
  key: K,
  label: string,
  traits: Traits & { empty?: boolean } = {},
): Field<K, boolean> {
  const { empty = false, ...rest } = traits
  return { key, label, empty, half: true, control: <Switch />, filter: <FlagChoice label={label} />, ...rest }
}

/** One of an enumeration; as a filter any of them. */
export function select<K extends string, const O extends Record<string | number, string>>(
  key: K,
  label: string,
  options: O,
  traits: Traits & { empty?: keyof O } = {},
): Field<K, keyof O> {
  const { placeholder = '请选择', ...rest } = traits
  const choices = choicesOf(options)
  return {
    key,
    label,
    control: <Select options={choices} placeholder={placeholder} />,
    filter: <Select mode="multiple" maxTagCount="responsive" allowClear options={choices} placeholder={label} />,
    ...rest,
  }
}

/** One of many words that stand in groups; as a filter any of them. */
export function groupedSelect<K extends string>(
  key: K,
  label: string,
  groups: readonly { label: string; options: { value: string; label: string }[] }[],
): Field<K, string> {
  const options = groups.map((group) => ({ ...group, title: group.label }))
  const search = { optionFilterProp: 'label' }
  return {
    key,
    label,
    control: <Select options={options} placeholder="请选择" showSearch={search} />,
    filter: <Select mode="multiple" maxTagCount="responsive" allowClear options={options} placeholder={label} />,
  }
}

/** Any number of an enumeration. */
export function selectMany<K extends string, const O extends Record<string | number, string>>(
  key: K,
  label: string,
  options: O,
  traits: Traits = {},
): Field<K, (keyof O)[]> {
  const { placeholder = '请选择，可多选', ...rest } = traits
  const choices = choicesOf(options)
  return {
    key,
    label,
    empty: [],
    control: <Select mode="multiple" allowClear options={choices} placeholder={placeholder} optionFilterProp="label" />,
    filter: <Select mode="multiple" maxTagCount="responsive" allowClear options={choices} placeholder={label} />,
    ...rest,
  }
}

export function color<K extends string>(key: K, label: string, traits: Traits = {}): Field<K, string> {
  return { key, label, empty: '', control: <ColorChoice />, ...traits }
}

/** A moment to come, or never; with shortcuts for things that end, or begin. */
export function time<K extends string>(
  key: K,
  label: string,
  traits: Traits & { begins?: boolean } = {},
): Field<K, number | null> {
  const { placeholder, begins, ...rest } = traits
  return { key, label, empty: null, control: <MomentPicker placeholder={placeholder} begins={begins} />, ...rest }
}

/** Words typed by hand. */
export function tags<K extends string>(key: K, label: string, traits: Traits = {}): Field<K, string[]> {
  const { placeholder = '输入后按回车', ...rest } = traits
  const control = (
    <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ' ']} placeholder={placeholder} />
  )
  return { key, label, empty: [], control, ...rest }
}

/** Users found by name. */
export function users<K extends string>(key: K, label: string, traits: Traits = {}): Field<K, number[]> {
  const { placeholder = '输入用户名、姓名、邮箱或手机号搜索', ...rest } = traits
  return {
    key,
    label,
    empty: [],
    control: <UserChoice placeholder={placeholder} />,
    filter: <UserChoice placeholder={label} terse />,
    ...rest,
  }
}

/** A picture for a category, a banner or a setting. */
export function image<K extends string>(
  key: K,
  label: string,
  use: 'config' | 'banner' | 'category',
  traits: Traits & { shape?: Size } = {},
): Field<K, string> {
  const { shape, ...rest } = traits
  return { key, label, empty: '', control: <ImageInput use={use} shape={shape} />, ...rest }
}

/** HTML of an advertisement, with a look at it. */
export function adContent<K extends string>(key: K, label: string, traits: Traits = {}): Field<K, string> {
  return { key, label, empty: '', control: <AdContent />, ...traits }
}

/** The navigation entry above; 0 is the top. */
export function navigationParent<K extends string>(key: K, label: string): Field<K, number> {
  return { key, label, empty: 0, control: <NavigationParent /> }
}

/** A category with everything above it, root first; as a filter the category alone. */
export function categoryPath<K extends string>(
  key: K,
  label: string,
  type: 0 | 1,
  traits: Traits = {},
): Field<K, number[]> {
  const { placeholder = '请选择分类', ...rest } = traits
  return {
    key,
    label,
    empty: [],
    control: <CategoryPath type={type} placeholder={placeholder} />,
    filter: <CategoryPath type={type} placeholder={label} single />,
    ...rest,
  }
}

/** The category above; 0 is the top. */
export function categoryParent<K extends string>(key: K, label: string, type: 0 | 1): Field<K, number> {
  return { key, label, empty: 0, control: <CategoryParent type={type} /> }
}

/** One of the languages that documents may be in; as a filter any of them. */
export function language<K extends string>(key: K, label: string, traits: Traits = {}): Field<K, string> {
  return {
    key,
    label,
    empty: '',
    control: <LanguageChoice placeholder="请选择" />,
    filter: <LanguageChoice placeholder={label} multiple />,
    ...traits,
  }
}

/** Object keys are text; the wire's enumerations are numbers. */
function choicesOf(options: Record<string | number, string>): { value: string | number; label: string }[] {
  return Object.entries(options).map(([key, label]) => ({ value: /^\d+$/.test(key) ? Number(key) : key, label }))
}
