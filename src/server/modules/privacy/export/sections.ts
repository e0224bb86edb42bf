import { creditReasons } from '#shared/credits.ts'
import { documentStatusLabels } from '#shared/document-status.ts'
import {
  activityLabels,
  ContentType,
  contentTypeLabels,
  orderStatusLabels,
  orderTypeLabels,
  paymentMethodLabels,
  reportReasonLabels,
  replacementStatusLabels,
  reviewStatusLabels,
  visibilityLabels,
} from '#shared/enums.ts'
import { notificationKindLabels } from '#shared/notification-kinds.ts'
import { formatSize } from '#shared/format.ts'
import type { Ctx } from '#server/context.ts'
import { readingSections } from './reading-sections.ts'
import { collectionSections } from './collection-sections.ts'
import { writingSections } from './writing-sections.ts'
import { batch, type ExportedRow, isTitleKnownTo, type Section, text, time } from './section.ts'

/** What an export contains beside the profile and the files: one list for each, as JSON and as a table. */

export const documentSection: Section = {
  name: 'documents',
  title: '文档',
  columns: {
    标题: text('title'),
    大小: (row) => formatSize(Number(row.size)),
    状态: text('status'),
    可见范围: text('visibility'),
    上传时间: time('created_at'),
  },
  async read(db, userId, after) {
    const rows = await db
      .selectFrom('document')
      .leftJoin('attachment', 'attachment.id', 'document.attachment_id')
      .select(['document.id', 'document.uuid', 'document.title', 'document.keywords', 'document.description'])
      .select(['document.source_name', 'document.source_url'])
      .select(['document.language', 'document.price', 'document.ext', 'document.size', 'document.pages'])
      .select([
        'document.hash',
        'document.status',
        'document.visibility',
        'document.reject_reason',
        'document.view_count',
      ])
      .select(['document.download_count', 'document.favorite_count', 'document.comment_count', 'document.score'])
      .select(['document.created_at', 'document.updated_at', 'document.deleted_at', 'attachment.name as file_name'])
      .where('document.user_id', '=', userId)
      .where('document.id', '>', after)
      .orderBy('document.id')
      .limit(batch)
      .execute()
    return rows.map((row) => ({
      ...row,
      status: documentStatusLabels[row.status],
      visibility: visibilityLabels[row.visibility],
    }))
  },
}

export const sections: readonly Section[] = [
  documentSection,
  {
    name: 'articles',
    title: '文章',
    columns: { 标题: text('title'), 状态: text('status'), 发布时间: time('created_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('article')
        .select(['id', 'identifier', 'title', 'keywords', 'description', 'content', 'status', 'reject_reason'])
        .select(['view_count', 'favorite_count', 'comment_count', 'created_at', 'updated_at', 'deleted_at'])
        .select(['source_name', 'source_url'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        // Each may be long.
        .limit(batch / 10)
        .execute()
      return rows.map((row) => ({ ...row, status: reviewStatusLabels[row.status] }))
    },
  },
  ...writingSections,
  {
    name: 'comments',
    title: '评论',
    columns: { 内容: text('content'), 所在: text('title'), 状态: text('status'), 时间: time('created_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('comment')
        .leftJoin('document', (join) =>
          join
            .onRef('document.id', '=', 'comment.document_id')
            .on('comment.type', '=', ContentType.Document)
            .on(isTitleKnownTo(userId)),
        )
        .leftJoin('article', (join) =>
          join.onRef('article.id', '=', 'comment.document_id').on('comment.type', '=', ContentType.Article),
        )
        .select(['comment.id', 'comment.type', 'comment.content', 'comment.status', 'comment.ip'])
        .select(['comment.created_at', 'document.title as document', 'article.title as article'])
        .where('comment.user_id', '=', userId)
        .where('comment.is_deleted', '=', 0)
        .where('comment.id', '>', after)
        .orderBy('comment.id')
        .limit(batch)
        .execute()
      return rows.map(({ document, article, type, status, ...row }) => ({
        ...row,
        type: contentTypeLabels[type],
        title: document ?? article ?? '',
        status: reviewStatusLabels[status],
      }))
    },
  },
  {
    name: 'favorites',
    title: '收藏',
    columns: { 标题: text('title'), 类型: text('type'), 收藏时间: time('created_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('favorite')
        .leftJoin('document', (join) =>
          join
            .onRef('document.id', '=', 'favorite.document_id')
            .on('favorite.type', '=', ContentType.Document)
            .on(isTitleKnownTo(userId)),
        )
        .leftJoin('article', (join) =>
          join.onRef('article.id', '=', 'favorite.document_id').on('favorite.type', '=', ContentType.Article),
        )
        .select(['favorite.id', 'favorite.type', 'favorite.ip', 'favorite.created_at'])
        .select(['document.title as document', 'article.title as article'])
        .where('favorite.user_id', '=', userId)
        .where('favorite.id', '>', after)
        .orderBy('favorite.id')
        .limit(batch)
        .execute()
      return rows.map(({ document, article, type, ...row }) => ({
        ...row,
        type: contentTypeLabels[type],
        title: document ?? article ?? '',
      }))
    },
  },
  ...collectionSections,
  {
    name: 'orders',
    title: '订单',
    columns: {
      订单号: text('order_no'),
      商品: text('product_name'),
      '金额（元）': (row) => (Number(row.money) / 100).toFixed(2),
      状态: text('status'),
      下单时间: time('created_at'),
    },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('order')
        .select(['id', 'order_no', 'type', 'product_name', 'quantity', 'price', 'amount', 'money', 'status'])
        .select(['payment_method', 'refunded_money', 'refunded_credits', 'ip', 'claim'])
        .select(['created_at', 'paid_at', 'closed_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      return rows.map((row) => ({
        ...row,
        type: orderTypeLabels[row.type],
        status: orderStatusLabels[row.status],
        payment_method: row.payment_method === null ? null : paymentMethodLabels[row.payment_method],
      }))
    },
  },
  {
    name: 'credits',
    title: '余额明细',
    columns: { 原因: text('reason'), 变动: text('amount'), 余额: text('balance'), 时间: time('created_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('credit_entry')
        .select(['id', 'amount', 'balance', 'reason', 'ref_id', 'note', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      const labels: Record<string, string> = creditReasons
      return rows.map((row) => ({ ...row, reason: labels[row.reason] ?? row.reason }))
    },
  },
  {
    name: 'downloads',
    title: '下载记录',
    columns: { 标题: text('title'), 价格: text('price'), 时间: time('created_at') },
    read: (db, userId, after) =>
      db
        .selectFrom('download')
        .leftJoin('document', 'document.id', 'download.document_id')
        .select(['download.id', 'download.document_id', 'document.title', 'download.price', 'download.ip'])
        .select('download.created_at')
        .where('download.user_id', '=', userId)
        .where('download.id', '>', after)
        .orderBy('download.id')
        .limit(batch)
        .execute(),
  },
  {
    name: 'replaced-files',
    title: '替换文件的记录',
    columns: { 文件: text('name'), 状态: text('status'), 原因: text('reason'), 时间: time('created_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('document_replacement')
        .select(['id', 'document_id', 'name', 'size', 'former_name', 'status', 'reason', 'created_at', 'ended_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      return rows.map((row) => ({ ...row, status: replacementStatusLabels[row.status] }))
    },
  },
  {
    name: 'sessions',
    title: '登录的设备',
    columns: {
      浏览器: text('user_agent'),
      'IP 地址': text('ip'),
      登录时间: time('created_at'),
      最近使用: time('last_seen_at'),
    },
    read: (db, userId, after) =>
      db
        .selectFrom('session')
        .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
  },
  {
    name: 'linked-accounts',
    title: '第三方账号',
    columns: { 类型: text('type'), 名称: text('name'), 绑定时间: time('created_at') },
    read: (db, userId, after) =>
      db
        .selectFrom('oauth_binding')
        .select(['id', 'type', 'openid', 'unionid', 'name', 'avatar', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
  },
  {
    name: 'passkeys',
    title: '通行密钥',
    columns: { 名称: text('name'), 添加时间: time('created_at'), 最近使用: time('used_at') },
    read: (db, userId, after) =>
      db
        .selectFrom('passkey')
        .select(['id', 'name', 'created_at', 'used_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute(),
  },
  {
    name: 'notifications',
    title: '通知',
    columns: { 种类: text('kind'), 时间: time('created_at'), 已读: time('read_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('notification')
        .select(['id', 'kind', 'content_type', 'content_id', 'comment_id', 'credits', 'created_at', 'read_at'])
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      return rows.map((row) => ({ ...row, kind: notificationKindLabels[row.kind] }))
    },
  },
  {
    name: 'activities',
    title: '动态',
    columns: { 类型: text('type'), 内容: text('subject'), 时间: time('created_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('activity')
        .select(['id', 'type', 'amount', 'subject', 'href', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      return rows.map((row) => ({ ...row, type: activityLabels[row.type] }))
    },
  },
  {
    name: 'reports',
    title: '举报',
    columns: { 文档: text('document_title'), 原因: text('reason'), 答复: text('answer'), 时间: time('created_at') },
    async read(db, userId, after) {
      const rows = await db
        .selectFrom('report')
        .select(['id', 'document_title', 'reason', 'content', 'contact', 'answer', 'created_at'])
        .where('user_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(batch)
        .execute()
      return rows.map((row) => ({ ...row, reason: reportReasonLabels[row.reason] }))
    },
  },
  ...readingSections,
]

export async function* readAll(section: Section, db: Ctx['db'], userId: number): AsyncGenerator<ExportedRow[]> {
  let last = 0
  for (;;) {
    const rows = await section.read(db, userId, last)
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)?.id ?? 0
  }
}
