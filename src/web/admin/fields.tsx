import { Input, InputNumber, Radio, Select, Switch } from 'antd'
import type { ContentType } from '#shared/enums.ts'
import { AdContentInput } from '#web/admin/controls/ad-content-input.tsx'
import { CategoryParentSelect } from '#web/admin/controls/category-parent-select.tsx'
import { CategoryPathSelect } from '#web/admin/controls/category-path-select.tsx'
import { ColorInput } from '#web/admin/controls/color-input.tsx'
import { BooleanSelect } from '#web/admin/controls/boolean-select.tsx'
import { ImageInput } from '#web/admin/controls/image-input.tsx'
import { LanguageSelect } from '#web/admin/controls/language-select.tsx'
import { DateRangePicker } from '#web/admin/controls/date-range-picker.tsx'
import { DateTimePicker } from '#web/admin/controls/date-time-picker.tsx'
import { LinesInput } from '#web/admin/controls/lines-input.tsx'
import { NavigationParentSelect } from '#web/admin/controls/navigation-parent-select.tsx'
import { NumbersInput } from '#web/admin/controls/numbers-input.tsx'
import { UserSelect } from '#web/admin/controls/user-select.tsx'
import type { Field, FormSection } from '#web/admin/resource.ts'
import type { Size } from '#web/domain/pictures/crop.ts'

/** Field builders: each fits only keys that take its values. */

interface FieldOptions {
  help?: string
  placeholder?: string
  required?: boolean
  half?: boolean
  isShown?: Field['isShown']
}

export function text<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, string> {
  const { placeholder, ...rest } = options
  return {
    key,
    label,
    empty: '',
    control: <Input placeholder={placeholder} autoComplete="off" />,
    filter: 'text',
    ...rest,
  }
}

export function textarea<K extends string>(
  key: K,
  label: string,
  options: FieldOptions & { rows?: number } = {},
): Field<K, string> {
  const { placeholder, rows = 3, ...rest } = options
  return {
    key,
    label,
    empty: '',
    control: <Input.TextArea autoSize={{ minRows: rows, maxRows: Math.max(rows, 10) }} placeholder={placeholder} />,
    ...rest,
  }
}

export function password<K extends string>(
  key: K,
  label: string,
  options: FieldOptions & { own?: boolean } = {},
): Field<K, string> {
  const { placeholder, own, ...rest } = options
  const control = <Input.Password placeholder={placeholder} autoComplete={own ? 'current-password' : 'new-password'} />
  return { key, label, empty: '', control, ...rest }
}

export function url<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, string> {
  const { placeholder = 'https://', ...rest } = options
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
  options: FieldOptions & { empty?: number; unit?: string; min?: number; max?: number } = {},
): Field<K, number> {
  const { placeholder, empty = 0, unit, min, max, ...rest } = options
  const control = (
    <InputNumber style={{ width: '100%' }} precision={0} suffix={unit} min={min} max={max} placeholder={placeholder} />
  )
  return { key, label, empty, control, ...rest }
}

export function toggle<K extends string>(
  key: K,
  label: string,
  options: FieldOptions & { empty?: boolean } = {},
): Field<K, boolean> {
  const { empty = false, ...rest } = options
  return { key, label, empty, half: true, control: <Switch />, filter: <BooleanSelect label={label} />, ...rest }
}

/** One code of an enumeration; as a filter several. */
export function select<K extends string, const O extends Record<string | number, string>>(
  key: K,
  label: string,
  labels: O,
  options: FieldOptions & { empty?: keyof O } = {},
): Field<K, keyof O> {
  const { placeholder = '请选择', ...rest } = options
  const selectOptions = toOptions(labels)
  return {
    key,
    label,
    control: <Select options={selectOptions} placeholder={placeholder} />,
    filter: <Select mode="multiple" maxTagCount="responsive" allowClear options={selectOptions} placeholder={label} />,
    ...rest,
  }
}

/** One of a few codes, all of them in sight. */
export function choice<K extends string, const O extends Record<string | number, string>>(
  key: K,
  label: string,
  labels: O,
  options: Omit<FieldOptions, 'placeholder'> & { empty: keyof O },
): Field<K, keyof O> {
  return { key, label, control: <Radio.Group options={toOptions(labels)} />, ...options }
}

/** Lines of text, one value each. */
export function lines<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, string[]> {
  const { placeholder, ...rest } = options
  return { key, label, empty: [], control: <LinesInput placeholder={placeholder} />, ...rest }
}

/** Fields under a heading of their own. */
export function inSection<F extends Field>(section: FormSection, fields: readonly F[]): F[] {
  return fields.map((field) => ({ ...field, section }))
}

/** One of many values in groups; as a filter several. */
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

/** Several codes of an enumeration. */
export function selectMany<K extends string, const O extends Record<string | number, string>>(
  key: K,
  label: string,
  labels: O,
  options: FieldOptions = {},
): Field<K, (keyof O)[]> {
  const { placeholder = '请选择，可多选', ...rest } = options
  const selectOptions = toOptions(labels)
  return {
    key,
    label,
    empty: [],
    control: (
      <Select mode="multiple" allowClear options={selectOptions} placeholder={placeholder} optionFilterProp="label" />
    ),
    filter: <Select mode="multiple" maxTagCount="responsive" allowClear options={selectOptions} placeholder={label} />,
    ...rest,
  }
}

export function color<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, string> {
  return { key, label, empty: '', control: <ColorInput />, ...options }
}

/** An optional point in time, with shortcuts for an end or a start. */
export function time<K extends string>(
  key: K,
  label: string,
  options: FieldOptions & { isStart?: boolean } = {},
): Field<K, number | null> {
  const { placeholder, isStart, ...rest } = options
  return { key, label, empty: null, control: <DateTimePicker placeholder={placeholder} isStart={isStart} />, ...rest }
}

/** From one day to another, as a filter; one of several says which it is. */
export function dateRange<K extends string>(
  key: K,
  label: string,
  { isNamed = false }: { isNamed?: boolean } = {},
): Field<K, string[]> {
  const control = <DateRangePicker {...(isNamed && { name: label })} />
  return { key, label, empty: [], control, filter: control, wideFilter: true }
}

/** Whole numbers such as those of documents. */
export function numbers<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, number[]> {
  const { placeholder = '输入后按回车', ...rest } = options
  return {
    key,
    label,
    empty: [],
    control: <NumbersInput placeholder={placeholder} />,
    filter: <NumbersInput placeholder={label} />,
    ...rest,
  }
}

/** Free words. */
export function tags<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, string[]> {
  const { placeholder = '输入后按回车', ...rest } = options
  const control = (
    <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ' ']} placeholder={placeholder} />
  )
  return { key, label, empty: [], control, ...rest }
}

/** Users, searched by name. */
export function users<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, number[]> {
  const { placeholder = '输入用户名、姓名、邮箱或手机号搜索', ...rest } = options
  return {
    key,
    label,
    empty: [],
    control: <UserSelect multiple placeholder={placeholder} />,
    filter: <UserSelect multiple placeholder={label} singleLine />,
    ...rest,
  }
}

/** One user, searched by name. */
export function user<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, number> {
  const { placeholder = '输入用户名搜索', ...rest } = options
  return {
    key,
    label,
    control: <UserSelect placeholder={placeholder} />,
    filter: <UserSelect placeholder={label} />,
    ...rest,
  }
}

/** A picture for a category, a banner or a setting. */
export function image<K extends string>(
  key: K,
  label: string,
  use: 'config' | 'banner' | 'category',
  options: FieldOptions & { shape?: Size } = {},
): Field<K, string> {
  const { shape, ...rest } = options
  return { key, label, empty: '', control: <ImageInput use={use} shape={shape} />, ...rest }
}

/** The HTML of an advertisement, with a preview. */
export function adContent<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, string> {
  return { key, label, empty: '', control: <AdContentInput />, ...options }
}

/** The parent of a navigation entry; 0 is none. */
export function navigationParent<K extends string>(key: K, label: string): Field<K, number> {
  return { key, label, empty: 0, control: <NavigationParentSelect /> }
}

/** The path to a category, root first; as a filter only its id. */
export function categoryPath<K extends string>(
  key: K,
  label: string,
  type: ContentType,
  options: FieldOptions = {},
): Field<K, number[]> {
  const { placeholder = '请选择分类', ...rest } = options
  return {
    key,
    label,
    empty: [],
    control: <CategoryPathSelect type={type} placeholder={placeholder} />,
    filter: <CategoryPathSelect type={type} placeholder={label} single />,
    ...rest,
  }
}

/** The parent of a category; 0 is none. */
export function categoryParent<K extends string>(key: K, label: string, type: ContentType): Field<K, number> {
  return { key, label, empty: 0, control: <CategoryParentSelect type={type} /> }
}

/** One of the languages of documents; as a filter several. */
export function language<K extends string>(key: K, label: string, options: FieldOptions = {}): Field<K, string> {
  return {
    key,
    label,
    empty: '',
    control: <LanguageSelect placeholder="请选择" />,
    filter: <LanguageSelect placeholder={label} multiple />,
    ...options,
  }
}

/** The keys of an object are text; codes of the API are numbers. */
function toOptions(labels: Record<string | number, string>): { value: string | number; label: string }[] {
  return Object.entries(labels).map(([key, label]) => ({ value: /^\d+$/.test(key) ? Number(key) : key, label }))
}
