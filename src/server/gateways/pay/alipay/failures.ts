import { PayProviderError } from '../pay-provider.ts'

export const ResultCode = {
  Success: '10000',
  /** Nothing is known about the outcome. */
  Unavailable: '20000',
  BusinessFailure: '40004',
  TooManyCalls: '40005',
} as const

export const SubCode = {
  TradeNotExist: 'ACQ.TRADE_NOT_EXIST',
  BillNotExist: 'isp.bill_not_exist',
} as const

/** What to do about it; anything else is told in Alipay's own words. */
const sentences: Record<string, string> = {
  'isv.invalid-app-id': '支付宝没有这个应用：请检查应用 ID，并确认应用已上线（沙箱应用要打开“支付宝沙箱”）',
  'isv.missing-signature-key': '这个应用还没有在开放平台设置“接口加签方式”，请先上传应用公钥',
  'isv.missing-signature-config': '这个应用还没有在开放平台设置“接口加签方式”，请先上传应用公钥',
  'isv.invalid-signature': '支付宝不认我们的签名：应用私钥与开放平台里登记的应用公钥不是一对，或应用 ID 填错了',
  'isv.invalid-signature-type': '这个应用没有使用 RSA2，请在开放平台把“接口加签方式”设为 RSA2',
  'isv.invalid-timestamp': '支付宝不认我们的时间：请校准服务器的时钟',
  'isv.insufficient-isv-permissions':
    '应用还没有签约要用的产品（电脑网站支付、手机网站支付或当面付），请到支付宝商家平台签约',
  'isv.insufficient-user-permissions': '支付宝账户没有授权这个应用使用该产品，请到支付宝商家平台签约或授权',
  'ACQ.ACCESS_FORBIDDEN': '应用没有使用该产品的权限，请到支付宝商家平台签约',
  'app-cert-expired': '应用公钥证书已过期，请在开放平台更新证书，并重新粘贴三个证书',
  'not-online-app': '应用还没有上线，请在开放平台提交上线',
  'isv.app-call-limited': '请求过于频繁，支付宝暂时拒绝，请稍后再试',
  'ACQ.TRADE_HAS_SUCCESS': '这笔交易已经付过款了',
  'ACQ.TRADE_HAS_FINISHED': '这笔交易已经结束，不能再操作',
  'ACQ.TRADE_HAS_CLOSE': '这笔交易已经关闭',
  'ACQ.CONTEXT_INCONSISTENT': '这个交易号已被另一笔内容不同的交易使用，请重新下单',
  'ACQ.SELLER_BALANCE_NOT_ENOUGH': '支付宝商家账户余额不足，请充值后再退款',
  'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL': '退款金额超过了可退的金额',
  'ACQ.TRADE_STATUS_ERROR': '交易当前的状态不允许这个操作',
  'ACQ.TRADE_NOT_EXIST': '支付宝没有这笔交易',
  'ACQ.TRADE_NOT_ALLOW_REFUND': '这笔交易不允许退款，可能已超过退款期限',
  'ACQ.DISCORDANT_REPEAT_REQUEST': '同一个退款单号已用于另一个金额',
  'ACQ.SYSTEM_ERROR': '支付宝系统繁忙，请稍后再试',
}

export interface FailedResult {
  code: string
  msg?: string
  sub_code?: string
  sub_msg?: string
}

export function failureOf({ code, msg = '', sub_code = '', sub_msg = '' }: FailedResult): PayProviderError {
  const subCode = conventional(sub_code)
  const message = sentences[subCode] ?? `支付宝：${sub_msg || msg}（${subCode || code}）`
  return new PayProviderError(subCode || code, message, { isTemporary: isTemporary(code, subCode) })
}

/** Methods write the same code as `ACQ.X`, `aop.ACQ.X` and `X`. */
function conventional(subCode: string): string {
  return subCode.replace(/^(?:aop\.ACQ\.|(?=[A-Z_]+$))/, 'ACQ.')
}

/** Says no for good; what is temporary says nothing about the outcome. */
export function isRefusal(error: unknown): error is PayProviderError {
  return error instanceof PayProviderError && error.code.startsWith('ACQ.') && !error.isTemporary
}

function isTemporary(code: string, subCode: string): boolean {
  const codes: string[] = [ResultCode.Unavailable, ResultCode.TooManyCalls]
  return codes.includes(code) || /SYSTEM_ERROR$|unknow-error$/.test(subCode)
}
