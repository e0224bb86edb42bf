import { catalogue, findField, type Settings } from '#shared/settings.ts'
import { type Field, toDisplayText } from '#shared/setting-fields.ts'
import { changeSettings } from '#server/modules/settings/settings.store.ts'
import { ask } from './ask.ts'
import { type Command, UsageError } from './command.ts'

const help = `用法：
  npm run cli -- settings get 组[.键]        查看设置
  npm run cli -- settings set 组.键 值       修改设置；值写成 '' 则清空
  npm run cli -- settings set 组.键          问出值，不会留在命令历史里；也可以由管道给出
可用的组：${Object.keys(catalogue).join(' ')}`

export const settingsCommand: Command = {
  summary: '查看和修改网站设置',
  help,
  async run(ctx, [verb, path = '', ...value]) {
    const [group = '', key = ''] = path.split('.')
    if (verb === 'get') return print(ctx.settings, group, key)
    if (verb !== 'set' || !key) throw new UsageError(help)
    const given = value.length > 0 ? value.join(' ') : await askValue(group, key)
    if (given === undefined) return console.log(`没有修改 ${path}`)
    await changeSettings(ctx, [{ category: group, name: key, value: given }])
    console.log(`已修改 ${path}`)
  },
}

/** Undefined for an empty answer: what is to be cleared is written as ''. */
async function askValue(group: string, key: string): Promise<string | undefined> {
  const field = findField(group, key)
  if (!field) throw new UsageError(`没有 ${group}.${key} 这个设置`)
  const answer = await ask(`${field.label}：`, { hidden: field.secret === true })
  return answer || undefined
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
