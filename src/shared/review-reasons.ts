/** Why reviewers reject: to pick from. The author reads the reason of a document or an article. */

export const documentRejectReasons = [
  '内容与标题或简介不符',
  '与已有文档重复',
  '内容不完整、乱码或打不开',
  '涉嫌侵犯他人版权或隐私',
  '广告或没有价值的内容',
  '含有违法违规的内容',
  '分类、语言或价格不合适',
] as const

export const articleRejectReasons = [
  '内容与标题不符',
  '抄袭或未注明出处',
  '内容过短或不完整',
  '广告或没有价值的内容',
  '含有违法违规的内容',
  '排版混乱，难以阅读',
  '分类不合适',
] as const

export const commentRejectReasons = [
  '广告或垃圾信息',
  '人身攻击或骚扰他人',
  '含有违法违规的内容',
  '与主题无关',
  '泄露他人隐私',
] as const
