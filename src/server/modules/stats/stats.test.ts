import { bit } from '#server/db/tables/column.ts'
import { DocumentStatus } from '#shared/document-status.ts'
import { ReviewStatus, ContentType, OrderStatus, OrderType, ReportReason } from '#shared/enums.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { articles } from '#shared/contract/articles.ts'
import { stats } from '#shared/contract/stats.ts'
import { dayStart } from '#server/days.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { publishDocument } from '#server/testing/publish-document.ts'
import { openDocumentSite } from '#server/testing/document-site.ts'
import { explainQueries } from '#server/testing/databases/query-plans.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { addArticles } from '#server/testing/add-articles.ts'
import { SpiderDocumentStatus } from '#shared/spider.ts'
import { countPending } from './pending.ts'
import { openTrend } from './trend.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('visitors see how many people there are, with those that the owner adds', async () => {
  expect((await site.call(stats.get)).user_count).toBe(1)
  await site.configure({ 'display.virtual_register_count': '1000' })
  await site.member()
  expect((await site.call(stats.get)).user_count).toBe(1002)
})

test('the environment and the other figures need their permissions', async () => {
  const { json } = await site.send('GET', '/api/v1/stats')
  expect(Object.keys(json)).toEqual(['user_count', 'article_count'])
  const staff = await site.staff('ConfigAPI/GetStats')
  const whole = await staff.call(stats.get)
  expect(whole.os).toContain(process.platform)
  expect(whole.version).toMatch(/^\d+\.\d+/)
  expect(whole.hash).toMatch(/^([\da-f]{40,64})?$/)
})

test('only public articles are counted', async () => {
  const { article_count } = await site.call(stats.get)
  const { id } = await site.root.call(articles.create, { title: '一篇', content: '<p>正文</p>' })
  expect((await site.call(stats.get)).article_count).toBe(article_count + 1)
  await site.root.call(articles.review, { article_id: [id], status: ReviewStatus.Rejected })
  expect((await site.call(stats.get)).article_count).toBe(article_count)
})

describe('the last thirty days', () => {
  const startOf = (daysBefore: number) => dayStart(Date.now(), daysBefore)
  const hour = 3_600_000

  test('are given day by day, the last one is today, and quiet days are zeros', async () => {
    const { day } = await site.root.call(stats.trend)
    expect(day).toHaveLength(30)
    const written = (at: number) => new Date(at).toLocaleDateString('sv')
    expect([day[0]?.day, day[29]?.day]).toEqual([written(startOf(29)), written(Date.now())])
    expect(day[3]).toEqual({
      day: written(startOf(26)),
      view: 0,
      visitor: 0,
      upload: 0,
      download: 0,
      register: 0,
      search: 0,
      converted: 0,
      failed: 0,
    })
  })

  test('count uploads with those in the recycle bin, downloads and registrations on the day they happened', async () => {
    const otherSite = await openDocumentSite()
    try {
      const at = (daysBefore: number) => ({ created_at: startOf(daysBefore) + 12 * hour })
      const [first = 0] = await otherSite.addDocuments(
        at(5),
        { ...at(5), deleted_at: Date.now() },
        { created_at: startOf(5) - 1 },
        { created_at: startOf(29) },
        { created_at: startOf(29) - 1 },
        { status: DocumentStatus.InReview, created_at: startOf(0) },
      )
      const taken = { user_id: 1, document_id: first, ip: '', is_pay: 0 as const, updated_at: 0 }
      await otherSite.db
        .insertInto('download')
        .values([
          { ...taken, ...at(2) },
          { ...taken, ...at(2) },
        ])
        .execute()
      await otherSite.member()
      const { day } = await otherSite.root.call(stats.trend)
      expect(day.map(({ upload }) => upload)).toEqual([1, ...Array(22).fill(0), 1, 2, 0, 0, 0, 0, 1])
      expect(day[27]?.download).toBe(2)
      expect(day[29]?.register).toBe(2)
    } finally {
      await otherSite.close()
    }
  })

  test('count what was converted, and what could not be', async () => {
    await publishDocument(site, { name: '年报.pdf', content: makePdf({ title: '年报', pages: 2 }) })
    await publishDocument(site, {
      name: '待审.pdf',
      content: makePdf({ title: '待审', pages: 1 }),
      status: DocumentStatus.InReview,
    })
    await publishDocument(site, { name: '坏了.pdf', content: 'nothing of a PDF' })
    await site.runDueJobs()
    const today = async () => (await site.root.call(stats.trend)).day.at(-1)
    await expect.poll(today, { timeout: 5000 }).toMatchObject({ converted: 2, failed: 1 })
  })

  test.runIf(inject('database').engine === 'sqlite')(
    'are read from indexes alone, however many documents there are',
    async () => {
      const watched = explainQueries(site.db)
      const ctx = { ...(await site.app.context()), db: watched.db }
      await openTrend()(ctx)
      await countPending(ctx)
      const steps = (await watched.plans()).flat().filter((step) => /SCAN|SEARCH/.test(step))
      expect(steps.length).toBeGreaterThan(10)
      expect(steps.filter((step) => !/ USING (COVERING |(INTEGER )?PRIMARY )?(INDEX|KEY)/.test(step))).toEqual([])
      expect(steps.filter((step) => /^SCAN (?!article USING INDEX article_waiting)/.test(step))).toEqual([])
      for (const index of [
        'document_by_created_at',
        'document_recycled_created_at',
        'document_waiting',
        'article_waiting',
      ])
        expect(
          steps.some((step) => step.includes(index)),
          index,
        ).toBe(true)
    },
  )
})

describe('what waits for staff', () => {
  test('is counted as its lists show it, for each the work that they may do', async () => {
    const otherSite = await openDocumentSite()
    try {
      const before = Object.values(await otherSite.root.call(stats.pending))
      expect(before.filter((count) => count !== 0)).toEqual([])
      const [id = 0] = await otherSite.addDocuments(
        { status: DocumentStatus.InReview },
        { status: DocumentStatus.InReview },
        { status: DocumentStatus.InReview, deleted_at: 1 },
      )
      await otherSite.addDocuments(
        { status: DocumentStatus.Failed },
        { status: DocumentStatus.Failed, failure: { reason: 'unsupported', detail: '' } },
        { status: DocumentStatus.Pending },
        { status: DocumentStatus.Converting },
        { status: DocumentStatus.PendingReconversion },
        { status: DocumentStatus.Converted },
        { status: DocumentStatus.Disabled },
      )
      await addArticles(
        otherSite,
        { status: ReviewStatus.Pending },
        { status: ReviewStatus.Approved },
        { status: ReviewStatus.Pending, deleted_at: 1 },
      )
      const stamps = { created_at: 0, updated_at: 0 }
      const on = { type: ContentType.Document, document_id: id }
      const comment = { ...on, user_id: 1, parent_id: 0, root_id: 1, ip: '', content: '好', ...stamps }
      await otherSite.db
        .insertInto('comment')
        .values([
          { ...comment, is_deleted: 0, status: ReviewStatus.Pending },
          { ...comment, is_deleted: 1, status: ReviewStatus.Pending },
          { ...comment, is_deleted: 0, status: ReviewStatus.Approved },
        ])
        .execute()
      const report = { document_id: id, document_title: '', username: '', reason: ReportReason.Spam, ...stamps }
      await otherSite.db
        .insertInto('report')
        .values([
          { ...report, user_id: 1, status: bit(false) },
          { ...report, user_id: 2, status: bit(true) },
        ])
        .execute()
      const mail = {
        recipient: 'a@example.com',
        template: 'test',
        params: '',
        message_id: '',
        expires_at: 0,
        ...stamps,
      }
      await otherSite.db
        .insertInto('mail')
        .values([
          { ...mail, state: 'failed' },
          { ...mail, state: 'waiting' },
          { ...mail, state: 'sent' },
        ])
        .execute()
      await addOrders(otherSite)
      const crawled = {
        source_id: 1,
        target: ContentType.Document,
        origin: '',
        category_ids: '[]',
        user_id: 1,
        ...stamps,
      }
      const { Downloaded, DownloadFailed, PublishFailed } = SpiderDocumentStatus
      await otherSite.db
        .insertInto('spider_document')
        .values(
          [Downloaded, DownloadFailed, PublishFailed].map((status) => {
            const url = `https://example.com/${status}.pdf`
            return { ...crawled, status, url, url_hash: url }
          }),
        )
        .execute()
      otherSite.advanceClock(5000)
      expect(await otherSite.root.call(stats.pending)).toEqual({
        document_review: 2,
        replacement_review: 0,
        article_review: 1,
        comment_review: 1,
        report: 1,
        failed_conversion: 1,
        conversion_queue: 3,
        failed_mail: 1,
        claimed_order: 1,
        surplus_order: 2,
        bill_difference: 1,
        failed_crawl: 2,
        worker_count: 0,
      })
      const nothing = {
        document_review: 0,
        replacement_review: 0,
        article_review: 0,
        comment_review: 0,
        report: 0,
        failed_conversion: 0,
        conversion_queue: 0,
        failed_mail: 0,
        claimed_order: 0,
        surplus_order: 0,
        bill_difference: 0,
        failed_crawl: 0,
        worker_count: 0,
      }
      const reviewer = await otherSite.staff('DocumentAPI/CheckDocument', 'CommentAPI/CheckComment')
      expect(await reviewer.call(stats.pending)).toEqual({ ...nothing, document_review: 2, comment_review: 1 })
      const postman = await otherSite.staff('MailAPI/RetryMail', 'ReportAPI/UpdateReport')
      expect(await postman.call(stats.pending)).toEqual({ ...nothing, report: 1, failed_mail: 1 })
      const cashier = await otherSite.staff('OrderAPI/UpdateOrder')
      const money = { claimed_order: 1, surplus_order: 2, bill_difference: 1 }
      expect(await cashier.call(stats.pending)).toEqual({ ...nothing, ...money })
      const collector = await otherSite.staff('SpiderDocumentAPI/UpdateSpiderDocument')
      expect(await collector.call(stats.pending)).toEqual({ ...nothing, failed_crawl: 2 })
      const onlooker = await otherSite.staff('ConfigAPI/GetStats')
      expect(await onlooker.call(stats.pending)).toEqual(nothing)
    } finally {
      await otherSite.close()
    }
  })

  test('and the figures need their permissions', async () => {
    const member = await site.member()
    for (const endpoint of [stats.pending, stats.trend])
      expect(await refusal(member.call(endpoint))).toMatchObject({ status: 403 })
    const staff = await site.staff('ConfigAPI/GetStats')
    expect((await staff.call(stats.trend)).day).toHaveLength(30)
  })
})

/** One that waits for a confirmation, two with money that was not granted, one difference that is open. */
async function addOrders({ db }: Site): Promise<void> {
  const stamps = { created_at: 0, updated_at: 0 }
  const row = { user_id: 1, type: OrderType.TopUp, product_id: 0, product_name: '', price: 1, amount: 1, money: 10 }
  const order = { ...row, claim: '', claim_picture: '', remark: '', ip: '', expired_at: 0, claimed_at: null, ...stamps }
  const { Pending, Closed } = OrderStatus
  await db
    .insertInto('order')
    .values([
      { ...order, order_no: '1', pending_key: '1', status: Pending, has_surplus: 0, claimed_at: 1 },
      { ...order, order_no: '2', pending_key: '2', status: Pending, has_surplus: 0 },
      { ...order, order_no: '3', pending_key: '', status: Closed, has_surplus: 1 },
      { ...order, order_no: '4', pending_key: '4', status: Pending, has_surplus: 1 },
    ])
    .execute()
  const bill = {
    provider: 'wechat',
    day: '2026-11-16',
    kind: 'missing-here' as const,
    entry: 'payment' as const,
    ...stamps,
  }
  const difference = { ...bill, transaction_id: '', order_no: '', our_money: 0, their_money: 1, remark: '' }
  await db
    .insertInto('bill_difference')
    .values([
      { ...difference, attempt_no: 'a', is_handled: 0 },
      { ...difference, attempt_no: 'b', is_handled: 1 },
    ])
    .execute()
}
