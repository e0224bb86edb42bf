import { type CodeOf, declareCodes } from './codes.ts'

// Not among the other enumerations, which are in the scripts of every page.

/** What members are notified of. */
export const [NotificationKind, notificationKindLabels] = declareCodes({
  Reply: [1, '有人回复我的评论'],
  Comment: [2, '有人评论我的文档或文章'],
  DocumentReview: [3, '文档的审核结果'],
  ArticleReview: [4, '文章的审核结果'],
  CommentReview: [5, '评论的审核结果'],
  Sale: [6, '文档售出'],
  VipEnding: [7, 'VIP 即将到期'],
  ReportDecision: [8, '举报的处理结果'],
  ConversionFailure: [9, '文档转换失败'],
  Order: [10, '退款和订单处理'],
  Punishment: [11, '账号受到限制'],
  NewByAuthor: [12, '我关注的作者发布了新内容'],
  NewInCategory: [13, '我关注的分类有新内容'],
  NewInCollection: [14, '我关注的文集有新内容'],
  CollectionReview: [15, '文集的审核结果'],
  Outlay: [16, '超过限额的发放和退款'],
  Answer: [17, '有人对我的处理有异议'],
})
export type NotificationKind = CodeOf<typeof NotificationKind>

/** How a member gets notifications of a kind by mail. */
export const [NotificationMail, notificationMailLabels] = declareCodes({
  Off: [0, '不发邮件'],
  AtOnce: [1, '立即发邮件'],
  Daily: [2, '每日汇总'],
})
export type NotificationMail = CodeOf<typeof NotificationMail>
