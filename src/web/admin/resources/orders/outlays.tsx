import { Modal, Tag, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { Outlay } from '#shared/contract/outlays.ts'
import { outlayKindLabels, OutlayState, outlayStateLabels } from '#shared/outlays.ts'
import { formatYuan } from '#shared/prices.ts'
import { call, panel } from '#web/admin/actions.ts'
import { dash, TwoLines } from '#web/admin/cells.tsx'
import { customColumn, longTextColumn, tagColumn, timeColumn, userColumn } from '#web/admin/columns.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { dateRange, selectMany, textarea, users } from '#web/admin/fields.tsx'
import { type PanelProps, resource } from '#web/admin/resource.ts'
import { CodesDialog } from '#web/admin/resources/site/new-codes.tsx'
import { api } from '#web/lib/api.ts'

const { list, decide, carryOut } = contract.outlays

const stateColors: Record<OutlayState, string | undefined> = {
  [OutlayState.Done]: 'green',
  [OutlayState.Waiting]: 'gold',
  [OutlayState.Approved]: 'blue',
  [OutlayState.Refused]: 'red',
  [OutlayState.Failed]: undefined,
}

function unlessWaiting({ state, is_own }: Outlay): string | undefined {
  if (state !== OutlayState.Waiting) return '不是待批准的申请'
  return is_own ? '自己的申请要由别人批准' : undefined
}

/** The outlays of staff; those above the ceiling of their group wait here for a second person. */
export const outlays = resource({
  title: '大额审批',
  api: { list },
  hint: '管理人员给用户增加的余额和 VIP、生成的下载码和退款。超过每天限额的在这里等另一个人批准；批准以后，由申请人在 7 天内办理。限额在“支付设置”里。',
  emptyText: '还没有发放或退款',
  columns: [
    { key: 'id', width: 72, hiddenByDefault: true },
    longTextColumn('title', { label: '事项' }),
    tagColumn('kind', outlayKindLabels, { label: '类型', width: 130 }),
    customColumn('money', '价值', ({ money }: Outlay) => `¥${formatYuan(money)}`, {
      width: 110,
      text: ({ money }: Outlay) => formatYuan(money),
    }),
    customColumn(
      'state',
      '状态',
      ({ state }: Outlay) => (
        <Tag color={stateColors[state]} variant="filled">
          {outlayStateLabels[state]}
        </Tag>
      ),
      { width: 130, text: ({ state }: Outlay) => outlayStateLabels[state] },
    ),
    userColumn('username', 'user_id', { label: '经办人', width: 100 }),
    customColumn('decider', '决定', (row: Outlay) => <Decision row={row} />, {
      width: 160,
      text: ({ decider, remark }: Outlay) => [decider, remark].filter(Boolean).join('：'),
    }),
    timeColumn('created_at', { label: '时间' }),
  ],
  filters: [
    'wd',
    selectMany('state', '状态', outlayStateLabels),
    selectMany('kind', '类型', outlayKindLabels),
    users('user_id', '经办人'),
    dateRange('created_at', '时间'),
  ],
  actions: [
    call(decide, '批准', {
      input: { is_approved: true },
      startsEmpty: true,
      confirm: '批准后通知申请人，由申请人办理。',
      fields: [textarea('remark', '备注')],
      disabledReason: unlessWaiting,
    }),
    call(decide, '不批准', {
      danger: true,
      input: { is_approved: false },
      startsEmpty: true,
      fields: [textarea('remark', '原因', { help: '申请人会看到' })],
      disabledReason: unlessWaiting,
    }),
    panel(carryOut, '办理', CarryOutDialog, {
      disabledReason: ({ state, is_own }: Outlay) => {
        if (state !== OutlayState.Approved) return '不是已经批准的申请'
        return is_own ? undefined : '由申请人办理'
      },
    }),
  ],
  rowName: ({ title }) => title,
})

function Decision({ row: { decided_by, user_id, decider, remark } }: { row: Outlay }) {
  if (decided_by === 0) return dash
  return <TwoLines primary={decided_by === user_id ? '站长一人决定' : decider} secondary={remark} />
}

/** Does what was approved; the codes of a batch are shown here and never again. */
function CarryOutDialog({ row, onClose, onDone }: PanelProps<Outlay>) {
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const [codes, setCodes] = useState<string[]>([])
  const submit = () =>
    run(async () => {
      try {
        const { code } = await api(carryOut, { id: row.id })
        showSuccess('已经办理')
        if (code.length === 0) onDone()
        else setCodes(code)
      } catch (error) {
        showError('办理', error)
      }
    })
  if (codes.length > 0)
    return (
      <CodesDialog
        name={`下载码-审批${row.id}.csv`}
        codes={codes}
        about={{ kind: row.title, validity: '', note: row.remark }}
        onClose={onDone}
      />
    )
  return (
    <Modal
      open
      title="办理"
      okText="办理"
      okButtonProps={{ loading: busy }}
      onOk={() => void submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Typography.Paragraph>{row.title}</Typography.Paragraph>
      <Typography.Paragraph type="secondary">{row.decider} 已经批准。现在办理，只能办理一次。</Typography.Paragraph>
    </Modal>
  )
}
