import { type CodeOf, declareCodes } from './codes.ts'

/** The enumerations of the wire, except the document status, which has a state machine in `document-status.ts`. */

export const [Punishment, punishmentLabels] = declareCodes({
  Disabled: [1, '禁用账号'],
  NoComment: [2, '禁止评论'],
  NoUpload: [3, '禁止上传'],
  NoDownload: [4, '禁止下载'],
  NoFavorite: [5, '禁止收藏'],
  NoArticle: [6, '禁止发布文章'],
})
export type Punishment = CodeOf<typeof Punishment>

/** Whether a record is in use. Users have the first two: a punishment disables an account. */
export const [RecordStatus, recordStatusLabels] = declareCodes({
  Normal: [0, '正常'],
  Disabled: [1, '已禁用'],
  InReview: [2, '审核中'],
  Rejected: [3, '未通过'],
  Ignored: [4, '已忽略'],
})
export type RecordStatus = CodeOf<typeof RecordStatus>

export const captchaPurposes = ['register', 'login', 'find_password', 'comment', 'code'] as const
export type CaptchaPurpose = (typeof captchaPurposes)[number]

/** The sites by whose accounts members log in, as the wire names them. */
export const oauthTypes = [
  'wechat',
  'wechatoa',
  'wechatmp',
  'qq',
  'weibo',
  'github',
  'gitee',
  'google',
  'oidc',
] as const
export type OauthType = (typeof oauthTypes)[number]

/** What a third-party log-in, or the scan of a code, is for. */
export const oauthIntents = ['login', 'bind'] as const
export type OauthIntent = (typeof oauthIntents)[number]

/** How far a log-in by scanning has come; the wire names them so. */
export const scanStatuses = ['waiting', 'confirmed', 'used'] as const
export type ScanStatus = (typeof scanStatuses)[number]

/** What an attachment is used for. */
export const [AttachmentType, attachmentTypeLabels] = declareCodes({
  Unknown: [0, '未知'],
  Avatar: [1, '头像'],
  Document: [2, '文档'],
  Article: [3, '文章'],
  Comment: [4, '评论'],
  Banner: [5, '横幅'],
  CategoryCover: [6, '分类封面'],
  Setting: [7, '配置'],
  CrawledDocument: [8, '采集文档'],
  ReportProof: [9, '举报证明'],
  PaymentProof: [10, '付款凭证'],
})
export type AttachmentType = CodeOf<typeof AttachmentType>

/** Which client shows a banner. */
export const [BannerType, bannerTypeLabels] = declareCodes({
  Website: [0, '网站'],
  MiniProgram: [1, '小程序'],
  App: [2, 'App'],
})
export type BannerType = CodeOf<typeof BannerType>

export const [ReportReason, reportReasonLabels] = declareCodes({
  Spam: [1, '垃圾广告'],
  Pornography: [2, '淫秽色情'],
  Scam: [3, '虚假中奖'],
  Sensitive: [4, '敏感信息'],
  Abuse: [5, '人身攻击'],
  Harassment: [6, '骚扰他人'],
  Copyright: [7, '侵犯版权'],
  Plagiarism: [8, '抄袭'],
  Misleading: [9, '内容与标题不符'],
  Unopenable: [10, '打不开'],
  Other: [11, '其他'],
})
export type ReportReason = CodeOf<typeof ReportReason>

/** What became of a handled report. */
export const [ReportOutcome, reportOutcomeLabels] = declareCodes({
  /** In another way, or by a client that only ticks it off. */
  Handled: [0, '已处理'],
  Dismissed: [1, '举报不成立'],
  DocumentDisabled: [2, '文档已禁用'],
  DocumentDeleted: [3, '文档已删除'],
})
export type ReportOutcome = CodeOf<typeof ReportOutcome>

/** Which viewers an announcement is for. */
export const [AnnouncementAudience, announcementAudienceLabels] = declareCodes({
  Everyone: [0, '所有人，包括访客'],
  Members: [1, '登录的用户'],
  Groups: [2, '指定的用户组'],
})
export type AnnouncementAudience = CodeOf<typeof AnnouncementAudience>

/** Which viewers may know of a document, once it is published. Its owner and the staff always may. */
export const [Visibility, visibilityLabels] = declareCodes({
  Public: [0, '公开'],
  Members: [1, '登录用户'],
  Groups: [2, '指定用户组'],
  Private: [3, '仅自己'],
  /** Holders of one of its share links. */
  Link: [4, '凭链接'],
})
export type Visibility = CodeOf<typeof Visibility>

/** Of a file that is to take the place of a document's file. */
export const [ReplacementStatus, replacementStatusLabels] = declareCodes({
  InReview: [0, '等待审核'],
  Converting: [1, '转换中'],
  Published: [2, '已替换'],
  Failed: [3, '转换失败'],
  Rejected: [4, '审核未通过'],
  Withdrawn: [5, '已撤回'],
  /** Another file was chosen before this one took effect. */
  Superseded: [6, '已换成别的文件'],
})
export type ReplacementStatus = CodeOf<typeof ReplacementStatus>

/** Of articles and comments. */
export const [ReviewStatus, reviewStatusLabels] = declareCodes({
  Pending: [0, '待审核'],
  Approved: [1, '已通过'],
  Rejected: [2, '未通过'],
})
export type ReviewStatus = CodeOf<typeof ReviewStatus>

/** The act of staff that sets each status, in the words of their log. */
export const reviewActs: Readonly<Record<ReviewStatus, string>> = {
  [ReviewStatus.Pending]: '退回待审核：',
  [ReviewStatus.Approved]: '通过了',
  [ReviewStatus.Rejected]: '不通过',
}

/** What a category, comment, favorite, search record or related deletion is about. */
export const [ContentType, contentTypeLabels] = declareCodes({
  Document: [0, '文档'],
  Article: [1, '文章'],
})
export type ContentType = CodeOf<typeof ContentType>

/** Of what members mark in documents. */
export const [HighlightColor, highlightColorLabels] = declareCodes({
  Yellow: [0, '黄色'],
  Green: [1, '绿色'],
  Blue: [2, '蓝色'],
  Pink: [3, '粉色'],
})
export type HighlightColor = CodeOf<typeof HighlightColor>

/** What staff do with a recommendation. */
export const [RecommendAction] = declareCodes({
  Withdraw: [0, '取消推荐'],
  /** A document that is already recommended keeps its position. */
  Recommend: [1, '推荐'],
  /** Moves it to the front, also if it is already recommended. */
  Renew: [2, '重新推荐'],
})
export type RecommendAction = CodeOf<typeof RecommendAction>

/** The delivery status of a mail. */
export const [MailStatus, mailStatusLabels] = declareCodes({
  Waiting: [0, '等待发送'],
  Sent: [1, '已发送'],
  Failed: [2, '发送失败'],
})
export type MailStatus = CodeOf<typeof MailStatus>

/** What a code sent by sms or e-mail is for. It is valid for nothing else. */
export const [CodeScene, codeSceneLabels] = declareCodes({
  Register: [0, '注册'],
  Login: [1, '登录'],
  FindPassword: [2, '找回密码'],
  /** Sent to the number that a member wants to bind. */
  BindMobile: [3, '绑定手机号'],
  /** Sent to the number that is bound, before it is changed or unbound. */
  ProveMobile: [4, '验证原手机号'],
})
export type CodeScene = CodeOf<typeof CodeScene>

/** The scenes in which the recipient is not logged in. */
export const signInScenes = {
  Register: CodeScene.Register,
  Login: CodeScene.Login,
  FindPassword: CodeScene.FindPassword,
} as const
export type SignInScene = CodeOf<typeof signInScenes>

/** What became of a message. Without an answer of the provider it stays as it began. */
export const [SmsStatus, smsStatusLabels] = declareCodes({
  Sending: [0, '发送中'],
  Sent: [1, '已发送'],
  Failed: [2, '发送失败'],
})
export type SmsStatus = CodeOf<typeof SmsStatus>

/** Activities of members. The missing numbers are activities that are not recorded. */
export const [ActivityType, activityLabels] = declareCodes({
  Comment: [1, '发表了评论'],
  Favorite: [2, '收藏了'],
  Upload: [3, '上传了文档'],
  Download: [4, '下载了文档'],
  Register: [6, '注册成为会员'],
  Rename: [9, '修改了用户名'],
  CheckIn: [11, '完成了每日签到'],
  DeleteDocument: [14, '删除了文档'],
  PublishArticle: [15, '发布了文章'],
  Report: [16, '举报了文档'],
  Favorited: [17, '作品被收藏'],
  Commented: [18, '作品被评论'],
  ArticleApproved: [19, '文章通过了审核'],
  ArticleRejected: [20, '文章未通过审核'],
  Replied: [21, '收到了回复'],
  ReportHandled: [30, '举报有了处理结果'],
})
export type ActivityType = CodeOf<typeof ActivityType>

/** `order-status.ts` says which follows which. */
export const [OrderStatus, orderStatusLabels] = declareCodes({
  Pending: [1, '待支付'],
  Paid: [2, '已支付'],
  Closed: [3, '已关闭'],
})
export type OrderStatus = CodeOf<typeof OrderStatus>

export const [OrderType, orderTypeLabels] = declareCodes({
  Document: [1, '购买文档'],
  Vip: [2, '开通 VIP'],
  TopUp: [3, '账户充值'],
})
export type OrderType = CodeOf<typeof OrderType>

export const [PaymentMethod, paymentMethodLabels] = declareCodes({
  WeChatPay: [1, '微信支付'],
  Alipay: [2, '支付宝'],
  BankCard: [3, '银行卡'],
  Cash: [4, '现金'],
  /** Named by the owner's word where people read it. */
  Credits: [5, '余额支付'],
  SystemTopUp: [6, '系统充值'],
  Other: [7, '其他'],
  ThirdParty: [8, '第三方支付'],
  DownloadCode: [9, '下载码'],
  Advertisement: [10, '广告'],
  /** A payment that the owner tries out: nothing is paid. */
  Trial: [11, '试运行'],
})
export type PaymentMethod = CodeOf<typeof PaymentMethod>

export const [VipCard, vipCardLabels] = declareCodes({
  Year: [0, '年卡'],
  Quarter: [1, '季卡'],
  Month: [2, '月卡'],
})
export type VipCard = CodeOf<typeof VipCard>

/** What a download code is good for. */
export const [DownloadCodeKind, downloadCodeKindLabels] = declareCodes({
  /** Any one document up to a price. */
  AnyDocument: [0, '任意一篇文档'],
  NamedDocuments: [1, '指定的文档'],
  Credits: [2, '充值'],
})
export type DownloadCodeKind = CodeOf<typeof DownloadCodeKind>

/**
 * How a search was answered: with entries that have all words as typed; with most of the words; with titles of which the
 * letters are the pinyin or the initials; or with words that differ from the typed ones by a typing error.
 */
export const searchSteps = ['all', 'most', 'pinyin', 'similar'] as const
export type SearchStep = (typeof searchSteps)[number]

/** What the results of a search are counted by. */
export const facetFields = ['category', 'ext', 'fee', 'language'] as const
export type FacetField = (typeof facetFields)[number]
