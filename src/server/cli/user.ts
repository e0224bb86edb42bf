import { randomBytes } from 'node:crypto'
import { formatTime } from '#shared/format.ts'
import { type Ctx, transaction } from '../context.ts'
import { endUserSessions } from '#server/modules/auth/sessions.ts'
import { assertStrongPassword, hashPassword } from '#server/modules/auth/passwords.ts'
import { findUserByName, setPassword } from '../modules/users/users.queries.ts'
import { type Command, UsageError } from './command.ts'

const help = `用法：
  npm run cli -- user list [关键字]        列出用户
  npm run cli -- user password 用户名       重设密码；新密码从标准输入读取，没有输入则随机生成并显示`

export const userCommand: Command = {
  summary: '列出用户、重设密码',
  help,
  async run(ctx, [verb, name = '']) {
    if (verb === 'list') return list(ctx, name)
    if (verb === 'password' && name) return resetPassword(ctx, name)
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

async function resetPassword(ctx: Ctx, name: string): Promise<void> {
  const user = await findUserByName(ctx.db, name)
  if (!user) throw new UsageError(`没有名为 ${name} 的用户`)
  const input = await readPipedInput()
  if (input) assertStrongPassword(ctx, input, user)
  const password = input || randomBytes(9).toString('base64url')
  const hashed = await hashPassword(password)
  await transaction(ctx, async (ctx) => {
    await setPassword(ctx.db, user.id, hashed, ctx.now())
    await endUserSessions(ctx.db, [user.id])
  })
  console.log(input ? `已重设 ${user.username} 的密码` : `${user.username} 的新密码：${password}`)
}

/** From stdin, as a password on the command line would end up in the shell's history. */
async function readPipedInput(): Promise<string> {
  if (process.stdin.isTTY) return ''
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString().trim()
}
