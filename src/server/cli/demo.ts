import type { Ctx } from '../context.ts'
import { type Command, UsageError } from './command.ts'
import { fillSite } from './demo/fill.ts'
import type { Outcome } from './demo/outcome.ts'
import { demoDocuments, demoNames } from './demo/documents.ts'

const help = `用法：
  npm run cli -- demo        给还没有文档的网站填入演示资料：分类、会员、各种格式的文档、文章、专题和文集；
                             中断后再用一次，会接着填

文档由会员上传，经过真正的转换；网站正在运行时也可以使用。会员的密码是随机的，需要登录时请重设：
  npm run cli -- user password 用户名`

export const demoCommand: Command = {
  summary: '给空网站填入演示资料',
  help,
  wordless: true,
  async run(ctx, words, app) {
    if (words.length > 0) throw new UsageError(help)
    await assertNoOtherDocuments(ctx)
    const outcomes = await fillSite({ ctx, app, documents: demoDocuments, say: (line) => console.log(line) })
    console.log(summarize(outcomes))
    if (outcomes.some(({ state }) => state === 'failed')) process.exitCode = 1
  },
}

/** Those of an interrupted run are the demo's own. */
async function assertNoOtherDocuments({ db }: Ctx): Promise<void> {
  const other = await db
    .selectFrom('document')
    .innerJoin('user', 'user.id', 'document.user_id')
    .select('document.id')
    .where('user.username', 'not in', demoNames)
    .limit(1)
    .executeTakeFirst()
  if (other) throw new UsageError('网站已经有文档，演示资料只能填入还没有文档的网站；可以用 DATA_DIR 另建一个网站')
}

function summarize(outcomes: readonly Outcome[]): string {
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length
  const parts = [
    `共 ${outcomes.length} 份文档：${count('shown')} 份可以在线阅读`,
    count('kept') && `${count('kept')} 份只供下载`,
    count('waiting') && `${count('waiting')} 份等待转换，装好所需的程序后会自动继续`,
    count('failed') && `${count('failed')} 份失败`,
  ]
  return `${parts.filter(Boolean).join('，')}。\n会员的密码是随机的，需要登录时请重设：npm run cli -- user password 用户名`
}
