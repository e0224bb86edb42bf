import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { articles } from '#shared/contract/articles.ts'
import { comments } from '#shared/contract/comments.ts'
import { documents } from '#shared/contract/documents.ts'
import { notifications } from '#shared/contract/notifications.ts'
import { orders } from '#shared/contract/orders.ts'
import { reports } from '#shared/contract/reports.ts'
import { vip } from '#shared/contract/vip.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import {
  OrderType,
  PaymentMethod,
  Punishment,
  ReportOutcome,
  ReportReason,
  ReviewStatus,
  VipCard,
} from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { enqueue } from '#server/jobs.ts'
import { addCredit } from '#server/modules/credits/credits.ledger.ts'
import { type CommunitySite, openCommunitySite } from '#server/testing/community-site.ts'
import { publishDocument } from '#server/testing/publish-document.ts'
import { type Person, refusal } from '#server/testing/site.ts'

const day = 86_400_000

let site: CommunitySite
beforeAll(async () => {
  site = await openCommunitySite()
  await site.configure({
    'pay.enable_bank_card': 'true',
    'pay.bank_card_text': '账号 6222',
    'vip.enable': 'true',
    'vip.remind_days': '3',
  })
})
afterAll(() => site.close())

describe('a comment', () => {
  test('notifies the owner of the document, and a reply the author of the comment before it', async () => {
    const [owner, reader, other] = [await site.member(), await site.member(), await site.member()]
    const on = await site.document({ owner, title: '会议纪要' })
    const first = await site.comment(reader, { on, content: '第三页写错了' })
    await site.comment(other, { on, to: first.id, content: '我也看到了' })
    expect(await inboxOf(reader)).toMatchObject([
      {
        kind: NotificationKind.Reply,
        title: `${other.username} 回复了您在《会议纪要》中的评论`,
        excerpt: '我也看到了',
        href: expect.stringMatching(/^\/document\/\w+#comment-\d+$/),
        is_read: false,
      },
    ])
    expect(await inboxOf(owner)).toMatchObject([
      { kind: NotificationKind.Comment, title: `${other.username} 等 2 人评论了您的文档《会议纪要》` },
    ])
    expect(await inboxOf(other)).toEqual([])
  })

  test('by the owner, or in reply to oneself, notifies nobody', async () => {
    const owner = await site.member()
    const on = await site.article({ owner })
    const { id } = await site.comment(owner, { on })
    await site.comment(owner, { on, to: id })
    expect(await inboxOf(owner)).toEqual([])
  })

  test('in reply to the owner notifies once, as a reply', async () => {
    const [owner, reader] = [await site.member(), await site.member()]
    const on = await site.article({ owner, title: '随笔' })
    const { id } = await site.comment(owner, { on })
    await site.comment(reader, { on, to: id })
    expect(await inboxOf(owner)).toMatchObject([{ kind: NotificationKind.Reply }])
  })

  test('that waits for review notifies the owner when it is approved, once, and its author of the result', async () => {
    const [owner, newcomer] = [await site.member(), await site.reviewedMember()]
    const on = await site.document({ owner, title: '年报' })
    const { id } = await site.comment(newcomer, { on })
    expect(await inboxOf(owner)).toEqual([])
    for (const status of [ReviewStatus.Approved, ReviewStatus.Rejected, ReviewStatus.Approved])
      await site.root.call(comments.review, { id: [id], status, reason: '跑题' })
    expect(await inboxOf(owner)).toMatchObject([{ title: `${newcomer.username} 评论了您的文档《年报》` }])
    expect(await inboxOf(newcomer)).toMatchObject([
      { kind: NotificationKind.CommentReview, title: '您在《年报》中的评论已通过审核', excerpt: '' },
    ])
  })

  test('that is rejected tells its author why', async () => {
    const newcomer = await site.reviewedMember()
    const { id } = await site.comment(newcomer, { on: await site.document({ title: '年报' }) })
    await site.root.call(comments.review, { id: [id], status: ReviewStatus.Rejected, reason: '跑题' })
    const [item] = await inboxOf(newcomer)
    expect(item).toMatchObject({ title: '您在《年报》中的评论未通过审核', excerpt: '原因：跑题' })
    expect(item?.href).not.toContain('#comment')
  })
})

describe('the result of a review', () => {
  test('of a document comes with its reason; the newest counts', async () => {
    const owner = await site.member()
    const [id = 0] = await site.addDocuments({ owner, title: '课件', status: DocumentStatus.InReview })
    await review(id, DocumentStatus.Rejected, '缺少目录')
    expect(await inboxOf(owner)).toMatchObject([
      { kind: NotificationKind.DocumentReview, title: '您的文档《课件》未通过审核', excerpt: '原因：缺少目录' },
    ])
    await review(id, DocumentStatus.Pending)
    expect(await inboxOf(owner)).toMatchObject([{ title: '您的文档《课件》已通过审核', excerpt: '' }])
    await review(id, DocumentStatus.Disabled)
    expect(await inboxOf(owner)).toMatchObject([{ title: '您的文档《课件》已被停用' }])
  })

  test('that is taken back at once is no news; later it is', async () => {
    const owner = await site.member()
    const [id = 0] = await site.addDocuments({ owner, status: DocumentStatus.InReview })
    await review(id, DocumentStatus.Rejected)
    await site.runDueJobs()
    await review(id, DocumentStatus.InReview)
    expect(await inboxOf(owner)).toEqual([])
    await review(id, DocumentStatus.Rejected)
    await site.runDueJobs()
    site.advanceClock(2 * 60_000)
    await review(id, DocumentStatus.InReview)
    expect(await inboxOf(owner)).toHaveLength(1)
  })

  test('of an article is told; of one’s own article it is not', async () => {
    const author = await site.member()
    const { document_id } = await site.article({ owner: author, title: '随笔', status: ReviewStatus.Pending })
    const own = await site.article({ owner: site.root, status: ReviewStatus.Pending })
    const before = (await inboxOf(site.root)).length
    const article_id = [document_id, own.document_id]
    await site.root.call(articles.review, { article_id, status: ReviewStatus.Rejected, reject_reason: '太短' })
    expect(await inboxOf(author)).toMatchObject([
      { kind: NotificationKind.ArticleReview, title: '您的文章《随笔》未通过审核', excerpt: '原因：太短' },
    ])
    expect(await inboxOf(site.root)).toHaveLength(before)
  })

  test('of many at once is one notice for each owner and outcome, with their titles and the common reason', async () => {
    const [owner, other] = [await site.member(), await site.member()]
    const inReview = { status: DocumentStatus.InReview, pages: 3 }
    const ids = await site.addDocuments(...['甲', '乙', '丙', '丁'].map((title) => ({ owner, title, ...inReview })), {
      owner: other,
      title: '别人的',
      ...inReview,
    })
    await site.root.call(documents.review, { id: ids, status: DocumentStatus.Pending })
    expect(await inboxOf(owner)).toMatchObject([
      { title: '您的 4 份文档已通过审核', excerpt: '《丁》《丙》《乙》等', href: '/me/document' },
    ])
    expect(await inboxOf(other)).toMatchObject([{ title: '您的文档《别人的》已通过审核' }])
    expect((await owner.call(notifications.unread)).count).toBe(1)
    // Documents that are decided anew leave the group, also its first; the others stay in it.
    const [first = 0, second = 0, third = 0] = ids
    await site.root.call(documents.review, { id: [first, second], status: DocumentStatus.Rejected, reason: '缺页' })
    await site.runDueJobs()
    await review(third, DocumentStatus.InReview)
    expect(await inboxOf(owner)).toMatchObject([
      { title: '您的 2 份文档未通过审核', excerpt: '原因：缺页；《乙》《甲》' },
      { title: '您的文档《丁》已通过审核' },
    ])
    expect((await owner.call(notifications.unread)).count).toBe((await inboxOf(owner)).length)
  })

  test('of many comments, articles, punishments and failed conversions is one, too', async () => {
    const member = await site.reviewedMember()
    const on = await site.document({ title: '年报' })
    const id = [(await site.comment(member, { on })).id, (await site.comment(member, { on })).id]
    await site.root.call(comments.review, { id, status: ReviewStatus.Approved })
    expect(await inboxOf(member)).toMatchObject([{ title: '您的 2 条评论已通过审核' }])

    const author = await site.member()
    const written = [
      await site.article({ owner: author, title: '上', status: ReviewStatus.Pending }),
      await site.article({ owner: author, title: '下', status: ReviewStatus.Pending }),
    ]
    const article_id = written.map(({ document_id }) => document_id)
    await site.root.call(articles.review, { article_id, status: ReviewStatus.Approved })
    expect(await inboxOf(author)).toMatchObject([{ title: '您的 2 篇文章已通过审核', excerpt: '《下》《上》' }])

    const punished = await site.member()
    const type = [Punishment.NoComment, Punishment.NoUpload]
    await site.root.call(punishments.create, { user_id: [punished.id], type, enable: true, reason: '灌水' })
    const [notice, ...more] = await inboxOf(punished)
    expect(notice).toMatchObject({ title: expect.stringMatching(/^您已被禁止.*、禁止/), excerpt: '原因：灌水' })
    expect(more).toEqual([])

    const owner = await site.member()
    for (const name of ['坏一.pdf', '坏二.pdf'])
      await publishDocument(site, { name, content: `%PDF-1.7\n${name}${'x'.repeat(300)}`, owner })
    expect(await inboxOf(owner)).toMatchObject([
      { title: '您的 2 份文档转换失败', excerpt: expect.stringContaining('坏一'), href: '/me/document?status=failed' },
    ])
  })

  test('of a report comes with the answer, and without the title of a document that is gone', async () => {
    const [author, reporter] = [await site.member(), await site.member()]
    const [document_id = 0] = await site.addDocuments({ owner: author, title: '盗版教材' })
    await reporter.call(reports.create, { document_id, reason: ReportReason.Spam })
    const [entry] = (await site.root.call(reports.inbox, { status: [false] })).entry
    const id = entry?.report.map((report) => report.id) ?? []
    await site.root.call(reports.handle, { id, outcome: ReportOutcome.DocumentDeleted, answer: '谢谢' })
    expect(await inboxOf(reporter)).toMatchObject([
      {
        kind: NotificationKind.ReportDecision,
        title: '您举报的文档已经处理：文档已删除',
        excerpt: '谢谢',
        href: '/me/report',
      },
    ])
  })
})

test('decisions about several reports of one member, of one outcome and with one answer, are one notice', async () => {
  const [author, reporter] = [await site.member(), await site.member()]
  const answers = ['谢谢', '谢谢', '没有发现问题']
  for (const answer of answers) {
    const [document_id = 0] = await site.addDocuments({ owner: author })
    await reporter.call(reports.create, { document_id, reason: ReportReason.Spam })
    const report = site.db.selectFrom('report').select('id').where('document_id', '=', document_id)
    const { id } = await report.executeTakeFirstOrThrow()
    await site.root.call(reports.handle, { id: [id], outcome: ReportOutcome.DocumentDeleted, answer })
  }
  expect(await inboxOf(reporter)).toMatchObject([
    { title: '您举报的文档已经处理：文档已删除', excerpt: '没有发现问题' },
    { title: '您的 2 个举报已经处理：文档已删除', excerpt: '谢谢', href: '/me/report' },
  ])
})

test('sales of a document are added up', async () => {
  const author = await site.member()
  const [product_id = 0] = await site.addDocuments({ owner: author, title: '题库', price: 10 })
  for (const buyer of [await site.member(), await site.member()]) {
    await addCredit(await site.app.context(), { userId: buyer.id, amount: 50, reason: 'register' })
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.Document, product_id })
    await buyer.call(orders.pay, { order_no, payment_type: PaymentMethod.Credits })
  }
  const { author_percent, author_fee } = (await site.app.context()).settings.pay
  const income = 2 * (Math.floor((10 * author_percent) / 100) - author_fee)
  expect(await inboxOf(author)).toMatchObject([
    { kind: NotificationKind.Sale, title: expect.stringContaining(`《题库》售出 2 份，收入 ${income} `) },
  ])
})

test('a buyer is told when staff confirm or refuse a payment, and of a refund', async () => {
  const buyer = await site.member()
  const claimed = async () => {
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 100 })
    await buyer.call(orders.claim, { order_no, payment_type: PaymentMethod.BankCard, content: '付了' })
    return (await site.root.call(orders.list, { wd: order_no })).order[0]?.id ?? 0
  }
  const id = await claimed()
  await site.root.call(orders.refuse, { id, remark: '没有这笔转账' })
  expect(await inboxOf(buyer)).toMatchObject([
    { kind: NotificationKind.Order, excerpt: '原因：没有这笔转账', href: expect.stringContaining('/me/order/') },
  ])
  await site.root.call(orders.confirm, { id, payment_type: PaymentMethod.BankCard })
  const { money } = await site.root.call(orders.detail, { id })
  await site.root.call(orders.refund, { id, amount: money, reason: '重复付款', key: 'refund-once' })
  const titles = (await inboxOf(buyer)).map(({ title }) => title)
  expect(titles).toEqual([
    expect.stringContaining('已退款'),
    expect.stringContaining('已确认到账'),
    expect.stringContaining('没有得到确认'),
  ])
})

test('a member is told once that VIP ends, also where the site has no mail', async () => {
  const member = await site.member()
  await site.root.call(vip.grant, { user_id: member.id, type: VipCard.Month, reason: '赠送' })
  const until = (await site.app.context()).now() + 2 * day
  const card = { expired_at: until, joined_at: until - 30 * day }
  await site.db.updateTable('user_vip').set(card).where('user_id', '=', member.id).execute()
  await site.db.updateTable('user').set({ vip_until: until }).where('id', '=', member.id).execute()
  for (let times = 0; times < 2; times += 1) {
    await enqueue(await site.app.context(), 'vip.remind', {})
    await site.runDueJobs()
  }
  expect(await inboxOf(member)).toMatchObject([{ kind: NotificationKind.VipEnding, href: '/joinvip' }])
})

test('an owner is told of a conversion that failed', async () => {
  const owner = await site.member()
  await publishDocument(site, { name: '坏.pdf', content: `%PDF-1.7\n${'x'.repeat(300)}`, owner })
  expect(await inboxOf(owner)).toMatchObject([
    { kind: NotificationKind.ConversionFailure, title: expect.stringMatching(/^您的文档《坏.*》转换失败$/) },
  ])
})

test('a punished member is told why; a disabled one gets nothing any more', async () => {
  const [member, disabled] = [await site.member(), await site.member()]
  const on = await site.document({ owner: disabled })
  const punish = { enable: true, reason: '灌水', end_time: Date.UTC(2099, 0, 1) }
  await site.root.call(punishments.create, { ...punish, user_id: [member.id], type: [Punishment.NoComment] })
  await site.root.call(punishments.create, { ...punish, user_id: [disabled.id], type: [Punishment.Disabled] })
  await site.comment(await site.member(), { on })
  expect(await inboxOf(member)).toMatchObject([
    {
      kind: NotificationKind.Punishment,
      title: expect.stringMatching(/^您已被禁止评论，2099-.* 解除$/),
      excerpt: '原因：灌水',
    },
  ])
  const rows = site.db.selectFrom('notification').select('id').where('user_id', '=', disabled.id)
  expect(await rows.execute()).toEqual([])
})

/** After all events have been delivered. */
async function inboxOf({ call }: Person) {
  await site.runDueJobs()
  return (await call(notifications.list)).notification
}

async function review(id: number, status: DocumentStatus, reason = ''): Promise<void> {
  await site.root.call(documents.review, { id: [id], status, reason })
}

describe('a refusal, a disabling and a punishment', () => {
  test('say why, or that nobody said why, and can be answered', async () => {
    const owner = await site.member()
    const [id = 0] = await site.addDocuments({ owner, title: '讲义', status: DocumentStatus.InReview })
    await review(id, DocumentStatus.Rejected)
    expect(await inboxOf(owner)).toMatchObject([{ excerpt: expect.stringContaining('没有写明原因'), can_answer: true }])
    await review(id, DocumentStatus.Pending)
    expect(await inboxOf(owner)).toMatchObject([{ excerpt: '', can_answer: false }])
    await review(id, DocumentStatus.Disabled, '有人投诉')
    expect(await inboxOf(owner)).toMatchObject([{ excerpt: '原因：有人投诉', can_answer: true }])
  })

  test('the answer reaches who decided and the owner of the site, with the case, once', async () => {
    const [member, officer] = [await site.member(), await site.staff('DocumentAPI/CheckDocument')]
    const [id = 0] = await site.addDocuments({ owner: member, title: '教案', status: DocumentStatus.InReview })
    await officer.call(documents.review, { id: [id], status: DocumentStatus.Rejected, reason: '侵权' })
    const [notice] = await inboxOf(member)
    await member.call(notifications.answer, { id: notice?.id ?? 0, content: '是我自己写的' })
    for (const person of [officer, site.root])
      expect((await inboxOf(person))[0]).toMatchObject({
        kind: NotificationKind.Answer,
        title: `${member.username} 有异议：您的文档《教案》未通过审核，原因：侵权`,
        excerpt: '是我自己写的',
        href: expect.stringMatching(/^\/document\//),
      })
    expect(await inboxOf(member)).toMatchObject([{ can_answer: false }])
    const again = member.call(notifications.answer, { id: notice?.id ?? 0, content: '再说一次' })
    expect(await refusal(again)).toMatchObject({ reason: 'notifications.notAnswerable' })
    const other = (await site.member()).call(notifications.answer, { id: notice?.id ?? 0, content: '不是我的' })
    expect(await refusal(other)).toMatchObject({ status: 404 })
  })

  test('a punishment is answered too, to who decided and the owner', async () => {
    const [member, officer] = [await site.member(), await site.staff('PunishmentAPI/CreatePunishment')]
    await officer.call(punishments.create, {
      user_id: [member.id],
      type: [Punishment.NoComment],
      enable: true,
      reason: '刷屏',
    })
    const [notice] = await inboxOf(member)
    expect(notice).toMatchObject({ excerpt: '原因：刷屏', can_answer: true })
    await member.call(notifications.answer, { id: notice?.id ?? 0, content: '不是刷屏' })
    for (const person of [officer, site.root])
      expect((await inboxOf(person))[0]).toMatchObject({ href: '/admin/user/punishment', excerpt: '不是刷屏' })
  })

  test('of a payment can be answered, to who did not confirm it and the owner, with the order', async () => {
    const [buyer, officer] = [await site.member(), await site.staff('OrderAPI/ListOrder', 'OrderAPI/UpdateOrder')]
    const { order_no } = await buyer.call(orders.create, { order_type: OrderType.TopUp, quantity: 10 })
    await buyer.call(orders.claim, { order_no, payment_type: PaymentMethod.BankCard, content: '尾号 1234' })
    const order = site.db.selectFrom('order').select('id').where('order_no', '=', order_no)
    await officer.call(orders.refuse, { ...(await order.executeTakeFirstOrThrow()), remark: '没有到账' })
    const [notice] = await inboxOf(buyer)
    expect(notice).toMatchObject({ excerpt: '原因：没有到账', can_answer: true, href: `/me/order/${order_no}` })
    await buyer.call(notifications.answer, { id: notice?.id ?? 0, content: '昨天转的' })
    for (const person of [officer, site.root])
      expect((await inboxOf(person))[0]).toMatchObject({ href: `/admin/order?wd=${order_no}`, excerpt: '昨天转的' })
  })
})
