import { Form, Input, Modal, Radio, Select, Typography } from 'antd'
import { useState } from 'react'
import { contract } from '#shared/contract/contract.ts'
import type { InboxEntry } from '#shared/contract/reports.ts'
import { allCodes } from '#shared/codes.ts'
import { Punishment, punishmentLabels, ReportOutcome } from '#shared/enums.ts'
import { DateTimePicker } from '#web/admin/controls/date-time-picker.tsx'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { outcomeActions, useOutcomes } from '#web/admin/reports/use-outcomes.ts'
import { api } from '#web/lib/api.ts'
import { useSession } from '#web/lib/session.ts'

export interface Handling {
  entry: InboxEntry
  outcome: ReportOutcome
}

interface DialogProps {
  handling: Handling
  onClose: () => void
  onDone: () => void
}

interface Decision {
  outcome: ReportOutcome
  answer: string
  punishment: Punishment[]
  punishment_reason: string
  punishment_end: number | null
  remark: string
}

/** The decision on all open reports of a document: the document, its uploader, and the answer to the reporters. */
export function HandleDialog({ handling: { entry, outcome }, onClose, onDone }: DialogProps) {
  const [form] = Form.useForm<Decision>()
  const [isAnswerOwn, setIsAnswerOwn] = useState(false)
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const outcomes = useOutcomes()(entry)
  const chosen = Form.useWatch('outcome', form) ?? outcome
  const title = entry.document?.title || entry.title
  const openIds = entry.report.filter(({ status }) => !status).map(({ id }) => id)
  const submit = (decision: Decision) =>
    run(async () => {
      try {
        await api(contract.reports.handle, { id: openIds, ...decision })
        showSuccess(`${openIds.length} 个举报已处理`)
        onDone()
      } catch (error) {
        showError('处理', error)
      }
    })
  const follow = (changes: Partial<Decision>) => {
    if (changes.answer !== undefined) setIsAnswerOwn(true)
    if (changes.outcome !== undefined && !isAnswerOwn) form.setFieldValue('answer', usualAnswers[changes.outcome])
  }
  return (
    <Modal
      open
      title="处理举报"
      width="max(36vw, 360px)"
      okText={chosen === ReportOutcome.Handled ? '处理' : outcomeActions[chosen]}
      okButtonProps={{ danger: chosen === ReportOutcome.DocumentDeleted, loading: busy }}
      onOk={() => form.submit()}
      onCancel={onClose}
      mask={{ closable: false }}
    >
      <Typography.Paragraph type="secondary">{title}</Typography.Paragraph>
      <Form
        form={form}
        layout="vertical"
        initialValues={{
          outcome,
          answer: usualAnswers[outcome],
          punishment: [],
          punishment_reason: `您上传的文档“${title}”违反规定`,
          punishment_end: null,
          remark: '',
        }}
        onValuesChange={follow}
        onFinish={(decision) => void submit(decision)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.submit()
        }}
      >
        <Form.Item name="outcome" label="结果" extra={outcomeHints[chosen]}>
          <Radio.Group options={outcomes.map((value) => ({ value, label: outcomeActions[value] }))} />
        </Form.Item>
        <Form.Item
          name="answer"
          label={`答复举报人（${openIds.length} 人）`}
          extra="举报人在“我的举报”里看到；网站设置了邮件时也会寄给他们。留空则只显示结果。"
        >
          <Input.TextArea autoSize={{ minRows: 2, maxRows: 8 }} maxLength={1000} />
        </Form.Item>
        <PunishmentFields uploaderId={entry.document?.user_id ?? 0} />
        <Form.Item name="remark" label="备注" extra="只有管理人员能看到">
          <Input maxLength={255} autoComplete="off" />
        </Form.Item>
      </Form>
    </Modal>
  )
}

const punishmentOptions = allCodes(Punishment).map((value) => ({ value, label: punishmentLabels[value] }))

function PunishmentFields({ uploaderId }: { uploaderId: number }) {
  const { canCall } = usePermissions()
  const { user } = useSession()
  const isChosen = (Form.useWatch<Punishment[] | undefined>('punishment') ?? []).length > 0
  const isPunishable = uploaderId > 0 && uploaderId !== user.id
  if (!isPunishable || !canCall(contract.punishments.create)) return null
  return (
    <>
      <Form.Item name="punishment" label="处罚上传者">
        <Select mode="multiple" allowClear placeholder="不处罚" options={punishmentOptions} optionFilterProp="label" />
      </Form.Item>
      <Form.Item name="punishment_reason" label="处罚原因" extra="上传者会看到" hidden={!isChosen}>
        <Input maxLength={2000} autoComplete="off" />
      </Form.Item>
      <Form.Item name="punishment_end" label="处罚结束时间" hidden={!isChosen}>
        <DateTimePicker placeholder="永久" />
      </Form.Item>
    </>
  )
}

const usualAnswers: Record<ReportOutcome, string> = {
  [ReportOutcome.Dismissed]: '经核实，这份文档没有违反规定。感谢您的关注。',
  [ReportOutcome.DocumentDisabled]: '经核实，这份文档已禁用。感谢您的举报。',
  [ReportOutcome.DocumentDeleted]: '经核实，这份文档已删除。感谢您的举报。',
  [ReportOutcome.Handled]: '您反映的问题已经处理。感谢您的举报。',
}

const outcomeHints: Record<ReportOutcome, string> = {
  [ReportOutcome.Dismissed]: '文档不变。',
  [ReportOutcome.DocumentDisabled]: '文档不再公开，上传者和管理人员仍能看到，可以再启用。',
  [ReportOutcome.DocumentDeleted]: '文档移到回收站，可以从那里恢复。',
  [ReportOutcome.Handled]: '用别的办法处理过了，例如修改了标题。文档的状态不变。',
}
