import { Alert, Checkbox, Form, Input, Modal, Select, Skeleton, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { OrderDetail, StaffOrder } from '#shared/contract/orders.ts'
import { OrderStatus, OrderType } from '#shared/enums.ts'
import { givenBack } from '#shared/order-texts.ts'
import { isMoneyMethod } from '#shared/payment-methods.ts'
import { formatYuan, parseYuan, toYuanText } from '#shared/prices.ts'
import { YuanInput } from '#web/admin/controls/yuan-input.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import type { PanelProps } from '#web/admin/resource.ts'
import { nameOf, providerNames } from '#web/admin/resources/orders/words.ts'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { createKey } from '#web/admin/engine/request-key.ts'
import { useQuery } from '#web/lib/use-query.ts'

interface Values {
  /** In yuan for money, in credits otherwise. */
  amount: string
  reason: string
  isOutside?: boolean
}

type Attempt = OrderDetail['payment'][number]

/** Gives back all or a part. The key of the dialog makes a second click, or a retry after a lost reply, harmless. */
export function RefundDialog(props: PanelProps<StaffOrder>) {
  const { row } = props
  const canSeeAttempts = usePermissions().canCall(contract.orders.detail)
  const query = useQuery(row.id, () => api(contract.orders.detail, { id: row.id }), { enabled: canSeeAttempts })
  if (canSeeAttempts && query.data === undefined && !query.error)
    return (
      <Modal open title={isGift(row) ? '撤回' : '退款'} footer={null} onCancel={props.onClose}>
        <Skeleton active />
      </Modal>
    )
  const attempts = (query.data?.payment ?? []).filter(({ state }) => state === 'paid' || state === 'surplus')
  return <RefundForm {...props} attempts={attempts} code={query.data?.download_code ?? ''} />
}

/** Nothing was paid for it: what it granted is withdrawn. */
function isGift({ status, payment_type }: StaffOrder): boolean {
  return status === OrderStatus.Paid && givenBack(payment_type) === 'nothing'
}

interface RefundFormProps extends PanelProps<StaffOrder> {
  attempts: Attempt[]
  /** The state in which the download code that paid the order would be given back. */
  code: string
}

function RefundForm({ row, attempts, code, onClose, onDone }: RefundFormProps) {
  const [form] = Form.useForm<Values>()
  const [key] = useState(createKey)
  const surplus = attempts.find(({ state }) => state === 'surplus')
  const own = attempts.find(({ state }) => state === 'paid')
  // Of money that came too much, the order itself keeps its own.
  const [attempt, setAttempt] = useState(surplus ?? own)
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const credit = useCreditName()
  const isWithdrawal = attempt === undefined && isGift(row)
  const isMoney = attempt !== undefined || isMoneyMethod(row.payment_type)
  const verb = isWithdrawal ? '撤回' : '退款'
  const left = countLeft(row, attempt, isMoney)
  const isWholeOnly = isWithdrawal && row.order_type !== OrderType.TopUp
  const submit = ({ amount, reason, isOutside = false }: Values) =>
    run(async () => {
      try {
        const { state, message } = await api(contract.orders.refund, {
          id: row.id,
          payment_id: attempt?.id ?? 0,
          amount: isWholeOnly ? left : readAmount(amount, isMoney),
          reason,
          is_outside: isOutside,
          key,
        })
        if (state === 'refused') throw new Error(message || '支付平台拒绝了退款')
        showSuccess(describeDone(state, message, verb))
        onDone()
      } catch (error) {
        showError(verb, error)
      }
    })
  return (
    <Modal
      open
      title={verb}
      width="max(32vw, 360px)"
      okText={verb}
      okButtonProps={{ danger: true, loading: busy }}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Typography.Paragraph>
        {row.product_name}（{row.username}，订单 {row.order_no}）
      </Typography.Paragraph>
      <Form
        form={form}
        layout="vertical"
        validateTrigger="onBlur"
        initialValues={{ amount: toAmountText(left, isMoney), reason: '' }}
        onFinish={(values) => void submit(values)}
      >
        {attempts.length > 1 && (
          <Form.Item label="退哪一笔" htmlFor="refund-attempt">
            <Select
              id="refund-attempt"
              value={attempt?.id}
              options={attempts.map((candidate) => ({ value: candidate.id, label: describeAttempt(candidate) }))}
              onChange={(id: number) => {
                const chosen = attempts.find((candidate) => candidate.id === id)
                setAttempt(chosen)
                form.setFieldValue('amount', toAmountText(countLeft(row, chosen, true), true))
              }}
            />
          </Form.Item>
        )}
        {!isWholeOnly && (
          <Form.Item
            name="amount"
            label={isMoney ? '退款金额' : `${isWithdrawal ? '撤回' : '退还'}的${credit}`}
            rules={[
              {
                validator: async (_rule, typed: string) => {
                  const problem = findAmountProblem(typed, left, isMoney)
                  if (problem) throw new Error(problem)
                },
              },
            ]}
            extra={`最多${isWithdrawal ? '撤回' : '可退'} ${isMoney ? `${formatYuan(left)} 元` : `${left} ${credit}`}`}
          >
            {isMoney ? <YuanInput /> : <Input inputMode="numeric" autoComplete="off" suffix={credit} />}
          </Form.Item>
        )}
        <Form.Item
          name="reason"
          label="原因"
          rules={[{ required: true, whitespace: true, message: '请写明原因' }]}
          extra="买家会看到"
        >
          <Input maxLength={200} autoComplete="off" />
        </Form.Item>
        {attempt && (
          <Form.Item name="isOutside" valuePropName="checked">
            <Checkbox>已经在{nameOf(providerNames, attempt.provider)}的后台退款，这里只记账</Checkbox>
          </Form.Item>
        )}
        <Alert
          type="warning"
          showIcon
          title={describeWay(row, attempt, credit)}
          description={describeConsequences(row, attempt, credit, code)}
        />
        {/* Enter in a field submits only where the form has a submit button. */}
        <button type="submit" hidden>
          {verb}
        </button>
      </Form>
    </Modal>
  )
}

function toAmountText(amount: number, isMoney: boolean): string {
  return isMoney ? toYuanText(amount) : String(amount)
}

/** 0 for what is none. */
function readAmount(typed: string, isMoney: boolean): number {
  if (!isMoney) return /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : 0
  const parsed = parseYuan(typed)
  return 'amount' in parsed ? parsed.amount : 0
}

function findAmountProblem(typed: string, left: number, isMoney: boolean): string | undefined {
  const parsed = isMoney ? parseYuan(typed) : undefined
  if (parsed && 'problem' in parsed) return parsed.problem
  const amount = readAmount(typed, isMoney)
  if (amount === 0) return isMoney ? '请输入大于 0 的金额' : '请输入正整数'
  return amount > left ? `不能超过 ${toAmountText(left, isMoney)}` : undefined
}

function describeDone(state: string, message: string, verb: string): string {
  if (state !== 'done') return `退款已提交，等待支付平台的结果。${message}`
  return message ? `${verb}成功：${message}` : `${verb}成功`
}

function countLeft(row: StaffOrder, attempt: Attempt | undefined, isMoney: boolean): number {
  if (attempt?.state === 'surplus') return attempt.money
  return isMoney ? (attempt?.money ?? row.received_money) - row.refunded_money : row.amount - row.refunded_credits
}

function describeAttempt({ provider, money, state }: Attempt): string {
  return `${nameOf(providerNames, provider)} ${formatYuan(money)} 元${state === 'surplus' ? '（多收）' : ''}`
}

/** The sentence about what goes back to the buyer. */
function describeWay(row: StaffOrder, attempt: Attempt | undefined, credit: string): string {
  if (attempt) return `款项由${nameOf(providerNames, attempt.provider)}原路退回给买家。`
  const back = givenBack(row.payment_type)
  if (back === 'money') return `网站不会转账：请先把钱退给买家（${row.payment_title}），这里只记账。`
  return back === 'credits' ? `${credit}退回到买家的余额。` : `买家没有付钱，也没有付${credit}：什么都不会退给买家。`
}

/** The sentence about what is withdrawn of the things granted, so that staff are not surprised. */
function describeConsequences(row: StaffOrder, attempt: Attempt | undefined, credit: string, code: string): string {
  if (attempt?.state === 'surplus' || row.status !== OrderStatus.Paid) return '买家已经得到的东西不变。'
  const isWhole = isGift(row)
  if (row.order_type === OrderType.TopUp) {
    const kept = '已经花掉的部分扣不回来，会记在这里。'
    if (!isWhole) return `收回：充值得到的${credit}按比例扣回；${kept}`
    const later = code && `全部扣回时，${codeTexts[code] ?? ''}；扣不全时，下载码不能再用。`
    return `收回：从买家的余额扣回这些${credit}；${kept}${later}`
  }
  if (row.order_type === OrderType.Vip)
    return isWhole
      ? '收回：这个订单的 VIP 卡立即结束。'
      : '收回：全部退完时，这个订单的 VIP 卡立即结束；只退一部分时不变。'
  const lost = '买家不再拥有这份文档'
  if (!isWhole) return `收回：作者的所得按比例扣回；全部退完时，${lost}。`
  return `收回：${lost}，作者的所得扣回。${code && `${codeTexts[code] ?? ''}。`}`
}

const codeTexts: Record<string, string> = {
  usable: '下载码恢复为未使用，可以再次使用',
  unusable: '下载码恢复为未使用，但它已经过期、作废或停用',
}
