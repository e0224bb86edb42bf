import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { groups, punishments } from '#shared/contract/access.ts'
import { users } from '#shared/contract/users.ts'
import { Punishment } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { type Ctx, transaction } from '../context.ts'
import { findSecurity, isEnrolled, resetSecondFactor } from '#server/modules/auth/second-factor/account-security.ts'
import { endUserSessions } from '#server/modules/auth/sessions.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { findDefaultGroup } from '../modules/access/groups.queries.ts'
import { setOwner } from '../modules/users/users.ownership.ts'
import { findUserByName, setPassword, type UserRow } from '../modules/users/users.queries.ts'
import { readPipedInput } from './ask.ts'
import { type Command, UsageError } from './command.ts'
import { type Person, signInAsRoot } from './person.ts'

const help = `用法：
  npm run cli -- user list [关键字]                     列出用户
  npm run cli -- user create 用户名 [--email 邮箱] [--group 用户组]…   新建用户，不写用户组则为默认的
  npm run cli -- user group 用户名 用户组…               改用户所在的用户组，以后只在写出的这些组里
  npm run cli -- user disable 用户名 [--reason 原因]     禁止登录，直到 user enable
  npm run cli -- user enable 用户名                     重新允许登录
  npm run cli -- user password 用户名                   重设密码
  npm run cli -- user reset-2fa 用户名                  关闭两步验证，用于丢失了验证器和恢复码的用户
  npm run cli -- user owner 用户名                      把网站移交给一位超级管理员
密码从标准输入读取，没有输入则随机生成并显示`

const options = {
  email: { type: 'string', default: '' },
  group: { type: 'string', multiple: true, default: [] as string[] },
  reason: { type: 'string', default: '' },
} as const

export const userCommand: Command = {
  summary: '列出、新建、停用用户，改用户组，重设密码，关闭两步验证，移交网站',
  help,
  async run(ctx, words, app) {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    const [verb, name = '', ...rest] = positionals
    if (verb === 'list') return list(ctx, name)
    if (!name) throw new UsageError(help)
    if (verb === 'password') return resetPassword(ctx, name)
    if (verb === 'owner') return handOver(ctx, name)
    if (verb === 'reset-2fa') return resetTwoSteps(ctx, name)
    const root = await signInAsRoot(ctx, app)
    try {
      if (verb === 'create') return await create(ctx, root, { name, ...values })
      if (verb === 'group' && rest.length > 0) return await changeGroups(ctx, root, { name, titles: rest })
      if (verb === 'disable') return await disable(ctx, root, { name, reason: values.reason })
      if (verb === 'enable') return await enable(ctx, root, name)
    } finally {
      await root.call(users.logout)
    }
    throw new UsageError(help)
  },
}

async function list(ctx: Ctx, keyword: string): Promise<void> {
  const rows = await ctx.db
    .selectFrom('user')
    .select(['id', 'username', 'email', 'created_at'])
    .where('username', 'like', `%${keyword}%`)
    .orderBy('id')
    .limit(1000)
    .execute()
  for (const { id, username, email, created_at } of rows) {
    console.log([id, username, email || '-', formatTime(created_at)].join('\t'))
  }
}

interface NewUser {
  name: string
  email: string
  group: readonly string[]
}

async function create(ctx: Ctx, root: Person, { name, email, group }: NewUser): Promise<void> {
  const groupIds = group.length > 0 ? await findGroupIds(root, group) : [await defaultGroupId(ctx)]
  const input = await readPipedInput()
  const password = input || makePassword()
  await root.call(users.create, { username: name, email, password, group_id: groupIds })
  console.log(input ? `已新建用户 ${name}` : `已新建用户 ${name}，密码：${password}`)
}

async function changeGroups(
  ctx: Ctx,
  root: Person,
  { name, titles }: { name: string; titles: readonly string[] },
): Promise<void> {
  const { id, username } = await existingUser(ctx, name)
  await root.call(users.set, { id, group_id: await findGroupIds(root, titles), password: '' })
  console.log(`${username} 现在的用户组：${titles.join('、')}`)
}

async function disable(ctx: Ctx, root: Person, { name, reason }: { name: string; reason: string }): Promise<void> {
  const { id, username } = await existingUser(ctx, name)
  await root.call(punishments.create, { user_id: [id], type: [Punishment.Disabled], enable: true, reason })
  console.log(`已禁止 ${username} 登录`)
}

async function enable(ctx: Ctx, root: Person, name: string): Promise<void> {
  const { id, username } = await existingUser(ctx, name)
  const { punishment } = await root.call(punishments.list, {
    user_id: [id],
    type: [Punishment.Disabled],
    enable: [true],
  })
  if (punishment.length > 0) await root.call(punishments.cancel, { id: punishment.map((each) => each.id) })
  console.log(punishment.length > 0 ? `已允许 ${username} 登录` : `${username} 没有被禁止登录`)
}

async function handOver(ctx: Ctx, name: string): Promise<void> {
  const { id, username } = await existingUser(ctx, name)
  await setOwner(ctx, id)
  console.log(`网站现在属于 ${username}，其他超级管理员不能处罚、修改或删除这个账号`)
}

async function resetTwoSteps(ctx: Ctx, name: string): Promise<void> {
  const { id, username } = await existingUser(ctx, name)
  const security = await findSecurity(ctx.db, id)
  if (!security || !isEnrolled(security)) return console.log(`${username} 没有开启两步验证`)
  await transaction(ctx, async (ctx) => {
    await resetSecondFactor(ctx.db, id)
    await endUserSessions(ctx.db, [id])
  })
  console.log(`已关闭 ${username} 的两步验证，恢复码作废，所有设备退出登录；请提醒本人重新开启`)
}

async function existingUser({ db }: Ctx, name: string): Promise<UserRow> {
  const user = await findUserByName(db, name)
  if (!user) throw new UsageError(`没有名为 ${name} 的用户`)
  return user
}

async function findGroupIds(root: Person, titles: readonly string[]): Promise<number[]> {
  const { group } = await root.call(groups.list)
  return titles.map((title) => {
    const found = group.find((each) => each.title === title)
    if (!found) throw new UsageError(`没有名为 ${title} 的用户组，现有：${group.map((each) => each.title).join('、')}`)
    return found.id
  })
}

async function defaultGroupId({ db }: Ctx): Promise<number> {
  const group = await findDefaultGroup(db)
  if (!group) throw new UsageError('网站没有默认的用户组，请用 --group 指定')
  return group.id
}

function makePassword(): string {
  return randomBytes(9).toString('base64url')
}

async function resetPassword(ctx: Ctx, name: string): Promise<void> {
  const user = await existingUser(ctx, name)
  // Read from stdin, as a password on the command line would end up in the shell's history.
  const input = await readPipedInput()
  if (input) assertStrongPassword(ctx, input, user)
  const password = input || makePassword()
  const hashed = await hashPassword(password)
  await transaction(ctx, async (ctx) => {
    await setPassword(ctx.db, user.id, hashed, ctx.now(), { byOther: true })
    await endUserSessions(ctx.db, [user.id])
  })
  console.log(input ? `已重设 ${user.username} 的密码` : `${user.username} 的新密码：${password}`)
}
