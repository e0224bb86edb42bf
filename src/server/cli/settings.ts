import { creditName, nameCredits } from '#shared/credit-name.ts'
import { catalogue, findField, type Settings } from '#shared/settings.ts'
import { type Field, toDisplayText } from '#shared/setting-fields.ts'
import type { Config } from '#server/config.ts'
import type { Ctx } from '#server/context.ts'
import {
  describeUnreadable,
  encryptStoredSecrets,
  listUnreadableSecrets,
} from '#server/modules/settings/secret-settings.ts'
import { encryptTotpSecretsAnew } from '#server/modules/auth/second-factor/account-security.ts'
import { encryptStoredIdentities } from '#server/modules/users/identity/encrypt-stored.ts'
import { changeSettings } from '#server/modules/settings/settings.store.ts'
import { beginRotation, endRotation, keyFile } from '#server/secrets/secret-key.ts'
import { ask } from './ask.ts'
import { type Command, UsageError } from './command.ts'

const help = `用法：
  npm run cli -- settings get 组[.键]        查看设置
  npm run cli -- settings set 组.键 值       修改设置；值写成 '' 则清空
  npm run cli -- settings set 组.键          问出值，不会留在命令历史里；也可以由管道给出
  npm run cli -- settings rekey              换一个新的 secret.key，重新加密密码和密钥
可用的组：${Object.keys(catalogue).join(' ')}`

export const settingsCommand: Command = {
  summary: '查看和修改网站设置',
  help,
  async run(ctx, [verb, path = '', ...value], _app, config) {
    if (verb === 'rekey') return rekey(ctx, config)
    const [group = '', key = ''] = path.split('.')
    if (verb === 'get') {
      print(ctx.settings, group, key)
      const unreadable = await listUnreadableSecrets(ctx.db, ctx.cipher)
      const shown = unreadable.filter(({ category, name }) => category === group && (!key || name === key))
      if (shown.length > 0) console.error(describeUnreadable(shown))
      return
    }
    if (verb !== 'set' || !key) throw new UsageError(help)
    const given = value.length > 0 ? value.join(' ') : await askValue(ctx.settings, group, key)
    if (given === undefined) return console.log(`没有修改 ${path}`)
    await changeSettings(ctx, [{ category: group, name: key, value: given }])
    console.log(`已修改 ${path}`)
  },
}

/** Running processes find the new key in the file; a rotation that was interrupted is completed. */
async function rekey(ctx: Ctx, { dataDir, secretKeys }: Config): Promise<void> {
  if (secretKeys.length > 0)
    throw new UsageError('密钥来自 SECRET_KEY：把它改成 新的,旧的，重新启动所有进程，再去掉旧的')
  beginRotation(dataDir)
  const count = await encryptStoredSecrets(ctx.db, ctx.cipher)
  await encryptTotpSecretsAnew(ctx.db, ctx.cipher)
  const members = await encryptStoredIdentities(ctx.db, ctx.cipher)
  endRotation(dataDir)
  console.log(
    `已更换密钥，重新加密了 ${count} 项设置、${members} 名会员的实名资料。请保管好新的 ${keyFile(dataDir)}，从前的备份仍需要原来的密钥`,
  )
  const unreadable = await listUnreadableSecrets(ctx.db, ctx.cipher)
  if (unreadable.length > 0) console.error(describeUnreadable(unreadable))
}

/** Undefined for an empty answer: what is to be cleared is written as ''. */
async function askValue(settings: Settings, group: string, key: string): Promise<string | undefined> {
  const field = findField(group, key)
  if (!field) throw new UsageError(`没有 ${group}.${key} 这个设置`)
  const answer = await ask(`${nameCredits(field.label, creditName(settings))}：`, { hidden: field.secret === true })
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
    console.log(key ? text : `${group}.${name} = ${text}    ${nameCredits(field.label, creditName(settings))}`)
  }
}
