import { catalogue, findField, type Settings } from '#shared/settings.ts'
import { type Field, toDisplayText } from '#shared/setting-fields.ts'
import { changeSettings } from '#server/modules/settings/settings.store.ts'
import { type Command, UsageError } from './command.ts'

const help = `用法：
  npm run cli -- settings get 组[.键]        查看设置
  npm run cli -- settings set 组.键 值       修改设置；不写值则清空
可用的组：${Object.keys(catalogue).join(' ')}`

export const settingsCommand: Command = {
  summary: '查看和修改网站设置',
  help,
  async run(ctx, [verb, path = '', ...value]) {
    const [group = '', key = ''] = path.split('.')
    if (verb === 'get') return print(ctx.settings, group, key)
    if (verb !== 'set' || !key) throw new UsageError(help)
    await changeSettings(ctx, [{ category: group, name: key, value: value.join(' ') }])
    console.log(`已修改 ${path}`)
  },
}

function print(settings: Settings, group: string, key: string): void {
  if (!Object.hasOwn(catalogue, group)) throw new UsageError(help)
  const fields: Record<string, Field> = catalogue[group as keyof Settings].fields
  const values: Record<string, Field['default']> = settings[group as keyof Settings]
  const keys = key ? [key] : Object.keys(fields)
  for (const name of keys) {
    const field = findField(group, name)
    if (!field) throw new UsageError(`没有 ${group}.${name} 这个设置`)
    const text = toDisplayText(field, values[name] ?? field.default)
    console.log(key ? text : `${group}.${name} = ${text}    ${field.label}`)
  }
}
