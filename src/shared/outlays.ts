import { type CodeOf, declareCodes } from './codes.ts'

/** The outlays of staff: each kind has a ceiling for each group and day, above which a second person approves. */
export const [OutlayKind, outlayKindLabels] = declareCodes({
  Grant: [1, '余额和 VIP'],
  Code: [2, '下载码'],
  Refund: [3, '退款'],
})
export type OutlayKind = CodeOf<typeof OutlayKind>

export const [OutlayState, outlayStateLabels] = declareCodes({
  Done: [1, '已办理'],
  Waiting: [2, '待批准'],
  Approved: [3, '已批准，待办理'],
  Refused: [4, '未批准'],
  Failed: [5, '没有办成'],
})
export type OutlayState = CodeOf<typeof OutlayState>

/** The acts, and what kind of outlay each is. */
export const outlayKinds = {
  adjust: OutlayKind.Grant,
  topUp: OutlayKind.Grant,
  grantCard: OutlayKind.Grant,
  createCodes: OutlayKind.Code,
  refund: OutlayKind.Refund,
} as const
export type OutlayAct = keyof typeof outlayKinds
