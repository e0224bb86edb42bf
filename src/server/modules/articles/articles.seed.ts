import type { builtInIdentifiers } from '#shared/contract/articles.ts'
import { ReviewStatus } from '#shared/enums.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/open.ts'
import { findRootId } from '#server/modules/access/access.queries.ts'
import { extractKeywords } from '#server/modules/catalog/keywords.ts'
import { updateCounters, noPublicCounts, countPublic } from './articles.counts.ts'
import { toSummary } from './articles.html.ts'

/** The pages that the footer and the upload form link to. The site's owner may rewrite or delete them. */
export async function seedArticles(ctx: Ctx): Promise<void> {
  const stamps = { created_at: ctx.now(), updated_at: ctx.now() }
  const user_id = (await findRootId(ctx.db)) ?? 0
  const common = { user_id, status: ReviewStatus.Approved, recommend_at: null, deleted_at: null, ...stamps }
  const rows = await ctx.db
    .insertInto('article')
    .values(
      Object.entries(builtInPages).map(([identifier, { title, content }]) => ({
        identifier,
        title,
        content,
        keywords: extractKeywords(title),
        description: toSummary(content),
        ...common,
      })),
    )
    // The owner may have written a page with this identifier before.
    .onConflict((conflict) => conflict.column('identifier').doNothing())
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  await updateCounters(ctx.db, noPublicCounts, await countPublic(ctx.db, ids))
}

/** The terms of use, and whether they are still those that every site starts with. */
export async function findAgreement(db: Db): Promise<{ id: number; isOwn: boolean }> {
  const row = await db
    .selectFrom('article')
    .select(['id', 'content'])
    .where('identifier', '=', 'agreement')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return { id: row?.id ?? 0, isOwn: row !== undefined && row.content !== builtInPages.agreement.content }
}

const builtInPages: Record<(typeof builtInIdentifiers)[number], { title: string; content: string }> = {
  about: {
    title: '关于我们',
    content:
      '<p>本站是一个文库：在这里上传、阅读、搜索和下载文档，也可以发布文章。</p>' +
      '<p>我们希望它像一间阅览室：找得到，读得下去，不打扰。</p>',
  },
  contact: {
    title: '联系我们',
    content:
      '<p>对网站有疑问、建议，或者需要帮助，请通过网站公布的联系方式与管理员联系。</p>' +
      '<p>来信请写明页面地址和遇到的情况，这样我们能更快地处理。</p>',
  },
  agreement: {
    title: '用户协议',
    content:
      '<p>使用本站即表示您同意以下约定。</p>' +
      '<h2>账号</h2>' +
      '<p>请妥善保管账号和密码。您对自己账号下的行为负责；发现被盗用时，请立即修改密码并联系我们。</p>' +
      '<h2>内容</h2>' +
      '<ul>' +
      '<li><p>请只上传您有权分享的文档，只发布您有权发布的文章，不发布违法、侵权、泄露他人隐私或国家秘密的内容。</p></li>' +
      '<li><p>上传后，您授权本站以在线预览、搜索和下载的方式展示该文档。您可以随时删除自己的文档和文章。</p></li>' +
      '<li><p>我们可以对违反约定的内容和账号进行处理。</p></li>' +
      '</ul>' +
      '<h2>变更</h2>' +
      '<p>我们可能修改本协议。修改后继续使用本站，视为接受修改后的内容。</p>',
  },
  copyright: {
    title: '免责声明',
    content:
      '<p>本站的文档和文章由用户发布，版权归原作者所有，其内容不代表本站的立场。</p>' +
      '<p>如果您认为某份文档或某篇文章侵犯了您的权利，请提供权利证明和页面地址与我们联系，核实后我们会尽快删除。</p>' +
      '<p>内容仅供参考。因使用这些内容产生的后果，由使用者自行承担。</p>',
  },
  feedback: {
    title: '意见反馈',
    content:
      '<p>欢迎告诉我们哪里不好用、缺什么、哪里出了错。</p>' +
      '<p>反馈问题时，请附上页面地址、出现的时间和看到的提示；如果提示里有编号，也请一并附上。</p>',
  },
  help: {
    title: '使用帮助',
    content:
      '<h2>查找</h2>' +
      '<p>在页面上方的搜索框中输入至少两个字，或者从分类开始浏览。搜索会查看标题、关键字和正文，结果里标出找到的文字。</p>' +
      '<h2>上传与发布</h2>' +
      '<p>登录后可以上传文档、发布文章；有的内容需要审核，通过后大家才能看到。没有通过时，会写明原因，修改后重新提交即可。</p>' +
      '<h2>账号</h2>' +
      '<p>注册后可以在个人中心修改资料和密码，查看登录过的设备并让它们退出。忘记密码时，可以在登录页用邮箱找回。</p>' +
      '<h2>外观</h2>' +
      '<p>页面支持浅色和深色，可以在页脚或手机导航中切换，默认跟随系统。</p>',
  },
}
