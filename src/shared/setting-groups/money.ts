import { choice, type Field, group, image, list, number, password, text, textarea, toggle } from '../setting-fields.ts'
import { findAmountProblem, findBonusProblem } from '../top-up-bonus.ts'
import { gateway } from './gateway.ts'

export const score = group('积分设置', {
  credit_name: text('积分名称', '豆子', { columns: 12 }),
  credit_exchange: number('一元相当于多少{credits}', 10, { min: 1, max: 100_000, columns: 12 }),
  show_exchange: toggle('价格旁显示折合多少元', false, { columns: 12 }),
  register: number('注册奖励', 10, { min: 0, columns: 12 }),
  sign_in: number('签到奖励', 1, { min: 0, columns: 12 }),
  upload_document: number('上传文档奖励', 5, { min: 0, columns: 12 }),
  upload_document_limit: number('每日上传奖励次数', 1, { min: 0, columns: 12, help: '0 表示不奖励' }),
  delete_document: number('删除文档扣除', 1, { min: 0, columns: 12 }),
  document_collected: number('文档被收藏奖励', 1, { min: 0, columns: 12 }),
  document_collected_limit: number('每日被收藏奖励次数', 1, { min: 0, columns: 12 }),
  document_commented: number('文档被评论奖励', 1, { min: 0, columns: 12 }),
  document_commented_limit: number('每日被评论奖励次数', 1, { min: 0, columns: 12 }),
})

type VipCardField = 'price' | 'original_price' | 'download' | 'times_every_day' | 'document_discount'

/** At most a million yuan: more would leave the whole numbers when it is turned into credits. */
const cardPrice = { money: 'fen', min: 0, max: 100_000_000, columns: 8 } as const

/** The same settings for each of the three cards. */
function vipCard<N extends string>(name: N, label: string, price: number) {
  const fields = {
    [`${name}_price`]: number(`${label}价格`, price, { ...cardPrice, help: '0 表示不出售' }),
    [`${name}_original_price`]: number(`${label}原价`, 0, { ...cardPrice, help: '划去显示；0 表示不显示' }),
    [`${name}_download`]: number(`${label}可免费下载的 VIP 文档数`, 0, { min: 0, columns: 8, help: '0 表示不限' }),
    [`${name}_times_every_day`]: number(`${label}每日下载次数`, 50, { min: 0, columns: 12, help: '0 表示不限' }),
    [`${name}_document_discount`]: number(`${label}购买其他文档的折扣（%）`, 80, {
      min: 0,
      max: 100,
      columns: 12,
      help: '80 即 8 折，100 表示不打折，0 表示免费',
    }),
  }
  return fields as Record<`${N}_${VipCardField}`, Field<number>>
}

export const vip = group('VIP 设置', {
  enable: toggle('启用 VIP', false, { columns: 12 }),
  icon: image('VIP 图标', { columns: 12 }),
  ...vipCard('year', '年卡', 19_900),
  ...vipCard('quarter', '季卡', 6900),
  ...vipCard('month', '月卡', 2900),
  mark_charged: toggle('新发布的付费文档自动成为 VIP 文档', false, {
    columns: 12,
    help: '已有的文档在文档管理里批量标记',
  }),
  remind_days: number('到期前几天提醒', 3, { min: 0, max: 30, columns: 12, help: '0 表示不提醒' }),
})

/** The ceiling on what the staff of a group give away; the owner of the site may exceed it alone. */
const ceiling = {
  money: 'fen',
  min: 0,
  max: 100_000_000,
  columns: 8,
  help: '超过的要由另一个人批准，并通知站长；0 表示不限',
} as const

export const pay = group('支付设置', {
  order_minutes: number('订单有效期（分钟）', 30, { min: 5, max: 1440, columns: 12 }),
  topup_amounts: list('可选的充值数量', ['50', '100', '500', '1000'], {
    help: '{credits}，用逗号分开',
    findProblem: findAmountProblem,
  }),
  topup_bonus: list('充值赠送', [], {
    help: '如 500+50 表示一次充值满 500 {credits}另送 50，用逗号分开',
    findProblem: findBonusProblem,
  }),
  author_percent: number('作者分成（%）', 100, { min: 0, max: 100, columns: 12, help: '售出文档后作者得到的百分比' }),
  author_fee: number('每笔手续费（{credits}）', 0, { min: 0, columns: 12, help: '从作者所得中扣除' }),

  grant_ceiling: number('每组每天发放{credits}和 VIP 的限额', 100_000, ceiling),
  code_ceiling: number('每组每天生成下载码的限额', 200_000, ceiling),
  refund_ceiling: number('每组每天退款的限额', 200_000, ceiling),

  enable_wechat: toggle('微信支付', false, { columns: 12 }),
  enable_mp_wechat: toggle('小程序内微信支付', false, { columns: 12 }),
  wechat_app_id: text('微信 AppID', '', { columns: 12, help: '服务号的 AppID，已绑定商户号' }),
  wechat_app_secret: password('微信 AppSecret', {
    columns: 12,
    help: '服务号的，用于在微信里直接付款；不填则出示二维码',
  }),
  wechat_mch_id: text('微信商户号', '', { columns: 12 }),
  wechat_serial: text('商户 API 证书序列号', '', { columns: 12, help: '40 位十六进制数' }),
  wechat_api_key: password('APIv3 密钥', { columns: 12, help: '32 个字符' }),
  wechat_private_key: password('商户 API 私钥', { help: 'apiclient_key.pem 的全部内容' }),
  wechat_mode: choice(
    '验签方式',
    'public_key',
    { public_key: '微信支付公钥', certificate: '平台证书', both: '两者都用（迁移期间）' },
    { columns: 12 },
  ),
  wechat_public_key_id: text('微信支付公钥 ID', '', { columns: 12, help: '以 PUB_KEY_ID_ 开头' }),
  wechat_public_key: textarea('微信支付公钥', '', { help: 'pub_key.pem 的全部内容' }),
  wechat_gateway: text('微信支付接口地址', '', gateway),
  wechat_api_gateway: text('微信公众平台接口地址', '', gateway),
  wechat_open_gateway: text('微信网页授权地址', '', gateway),

  enable_alipay: toggle('支付宝', false, { columns: 12 }),
  alipay_sandbox: toggle('支付宝沙箱', false, { columns: 12, help: '只用于试验' }),
  alipay_app_id: text('支付宝应用 ID', '', { columns: 12 }),
  alipay_seller_id: text('支付宝商户 PID', '', { columns: 12, help: '以 2088 开头的 16 位数字' }),
  alipay_private_key: password('应用私钥', { help: 'PKCS#8 或 PKCS#1 都可以' }),
  alipay_mode: choice('加签方式', 'key', { key: '公钥', certificate: '公钥证书' }, { columns: 12 }),
  alipay_face_to_face: toggle('电脑上用当面付二维码', false, {
    columns: 12,
    help: '需要签约当面付；否则跳转到支付宝付款',
  }),
  alipay_public_key: textarea('支付宝公钥', '', { help: '不是应用公钥' }),
  alipay_app_certificate: textarea('应用公钥证书', '', { help: 'appCertPublicKey.crt 的全部内容' }),
  alipay_certificate: textarea('支付宝公钥证书', '', { help: 'alipayCertPublicKey_RSA2.crt 的全部内容' }),
  alipay_root_certificate: textarea('支付宝根证书', '', { help: 'alipayRootCert.crt 的全部内容' }),
  alipay_gateway: text('支付宝接口地址', '', gateway),

  enable_third: toggle('第三方支付', false, { columns: 12 }),
  third_dialect: choice(
    '第三方支付的接口',
    'epay',
    { epay: '易支付（MD5）', epay_v2: '易支付 V2（RSA）', xunhupay: '虎皮椒' },
    { columns: 12 },
  ),
  third_merchant_id: text('商户 ID', '', { columns: 12, help: '易支付的 pid，或虎皮椒的 appid' }),
  third_key: password('商户密钥', { columns: 12, help: '易支付的 key，或虎皮椒的 appsecret' }),
  third_private_key: password('商户私钥', { help: '只有易支付 V2 需要' }),
  third_public_key: textarea('平台公钥', '', { help: '只有易支付 V2 需要' }),
  third_channel: choice(
    '支付渠道',
    '',
    { '': '由对方的收银台决定', alipay: '支付宝', wxpay: '微信', qqpay: 'QQ 钱包', bank: '网银' },
    { columns: 12 },
  ),
  third_title: text('第三方支付的名称', '', { columns: 12, help: '买家看到的；不填时用支付渠道的名称' }),
  third_icon: image('第三方支付的图标', { columns: 12 }),
  third_gateway: text('第三方支付接口地址', '', { shape: 'link', help: '易支付必填；虎皮椒留空时使用官方地址' }),

  enable_bank_card: toggle('银行卡转账', false, { columns: 12 }),
  bank_card_text: textarea('银行卡转账说明', '', { help: '户名、开户行和账号，买家付款前看到' }),
  enable_cash: toggle('现金', false, { columns: 12 }),
  cash_text: textarea('现金付款说明', ''),
  enable_other: toggle('其他方式', false, { columns: 12 }),
  other_text: textarea('其他方式的说明', ''),
  other_title: text('其他方式的名称', '', { columns: 12, help: '买家看到的，如“校园卡”；不填时是“其他”' }),
  other_icon: image('其他方式的图标', { columns: 12 }),

  enable_advertisement: toggle('看广告得{credits}（仅小程序）', false, {
    columns: 12,
    help: '会员在小程序里看完激励视频得到{credits}；网页上没有这个入口，文档也不能用看广告来支付',
  }),
  advertisement_credits: number('每次看广告得到的{credits}', 1, { min: 1, columns: 12 }),
  advertisement_seconds: number('至少要看多少秒', 15, { min: 5, max: 300, columns: 12 }),
  advertisement_times_every_day: number('每人每日看广告次数', 5, { min: 1, max: 100, columns: 12 }),

  test_mode: toggle('试运行：用按钮代替付款', false, {
    help: '不收钱就算支付成功；只有管理人员和下面的用户能用，其他人看不到。关闭时可以收回它发放的一切',
  }),
  trial_users: list('还有谁可以试运行', [], { help: '管理人员不用填', findProblem: findUserProblem }),
})

function findUserProblem(ids: readonly string[]): string | undefined {
  return ids.every((id) => /^[1-9]\d{0,14}$/.test(id)) ? undefined : '请填写用户编号'
}

export const download = group('下载设置', {
  enable_guest_download: toggle('游客可下载免费文档', false, { columns: 12 }),
  free_download_duration: number('购买后免费再次下载（天）', 0, {
    min: 0,
    columns: 12,
    help: '0 表示永久',
  }),
  enable_paid_reading: toggle('购买后可在线阅读全文', true, {
    columns: 12,
    help: '买了文档的会员，以及 VIP 文档的 VIP 会员，在线阅读不受预览页数限制；关闭后只能下载',
  }),
  times_every_day: number('每人每日下载次数', 10, { min: 0, columns: 12, help: '0 表示不能下载' }),
  times_every_ip: number('每个地址每日下载次数', 10, { min: 0, columns: 12, help: '0 表示不能下载' }),
  url_duration: number('下载链接有效期（秒）', 60, { min: 10, max: 86_400, columns: 12 }),
  enable_code_download: toggle('下载码', false, { columns: 12, help: '会员可以用下载码换取文档或{credits}' }),
  code_tip: textarea('下载码的说明', '', { help: '告诉会员到哪里得到下载码，可用 HTML' }),
})
