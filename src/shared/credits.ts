/** Why a balance changed, with a label for users. */
export const creditReasons = {
  register: '注册奖励',
  upload: '上传文档奖励',
  download: '文档下载',
  delete: '删除文档扣除',
  sign: '每日签到',
  favorited: '文档被收藏奖励',
  commented: '文档被评论奖励',
  adjustment: '管理人员调整',
  topUp: '充值',
  topUpBonus: '充值赠送',
  order: '支付订单',
  sale: '文档售出',
  refund: '退款',
  topUpWithdrawn: '充值撤回',
  saleWithdrawn: '售出撤回',
  accountDeleted: '账号注销，余额清零',
} as const
export type CreditReason = keyof typeof creditReasons
