import { DownloadOutlined } from '@ant-design/icons'
import { Alert, Button, Input, Modal } from 'antd'
import { useState } from 'react'
import type { DownloadCodeBatch } from '#shared/contract/codes.ts'
import type { contract } from '#shared/contract/contract.ts'
import { downloadCodeCsv } from '#shared/download-code-csv.ts'
import type { CallInput, Reply } from '#shared/endpoint.ts'
import { DownloadCodeKind, downloadCodeKindLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import type { CreatedProps } from '#web/admin/resource.ts'
import { useCreditName } from '#web/domain/site.ts'
import { saveFile } from '#web/lib/browser/save-file.ts'

type Create = typeof contract.codes.create
type Kind = Pick<DownloadCodeBatch, 'kind' | 'max_price' | 'document_id' | 'credits'>
type Validity = Pick<DownloadCodeBatch, 'valid_from' | 'valid_until'>

const type = 'text/csv; charset=utf-8'

/** The codes of a new batch: seen here and never again. */
export function NewCodes({ reply: { id, code }, values, onClose }: CreatedProps<CallInput<Create>, Reply<Create>>) {
  const creditName = useCreditName()
  const { max_price = 0, document_id = [], credits = 0, valid_from = null, valid_until = null, note = '' } = values
  const detail = describeBatch({ kind: values.kind, max_price, document_id, credits }, creditName)
  const about = {
    kind: [downloadCodeKindLabels[values.kind], detail].filter(Boolean).join('：'),
    validity: describeValidity({ valid_from, valid_until }),
    note,
  }
  return <CodesDialog name={`下载码-${id}.csv`} codes={code} about={about} onClose={onClose} />
}

interface CodesDialogProps {
  name: string
  codes: string[]
  about: Parameters<typeof downloadCodeCsv>[1]
  onClose: () => void
}

export function CodesDialog({ name, codes: code, about, onClose }: CodesDialogProps) {
  const [isSaved, setIsSaved] = useState(false)
  const save = () => {
    saveFile({ name, type, body: new Blob([downloadCodeCsv(code, about)], { type }) })
    setIsSaved(true)
  }
  return (
    <Modal
      open
      title={`生成了 ${code.length.toLocaleString('zh-CN')} 个下载码`}
      width={560}
      onCancel={onClose}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      footer={[
        <Button key="close" onClick={onClose}>
          {isSaved ? '完成' : '已经另外保存，关闭'}
        </Button>,
        <Button key="save" type="primary" icon={<DownloadOutlined />} onClick={save}>
          导出 CSV
        </Button>,
      ]}
    >
      <Alert
        type="warning"
        showIcon
        title="请现在导出：关闭之后谁也不能再看到这些下载码。"
        style={{ marginBottom: 16 }}
      />
      <Input.TextArea
        readOnly
        aria-label="下载码"
        value={code.join('\n')}
        autoSize={{ minRows: 4, maxRows: 12 }}
        style={{ fontFamily: 'ui-monospace, monospace' }}
      />
    </Modal>
  )
}

/** What a batch is limited to, or brings. */
export function describeBatch({ kind, max_price, document_id, credits }: Kind, creditName: string): string {
  if (kind === DownloadCodeKind.Credits) return `每个 ${credits} ${creditName}`
  if (kind === DownloadCodeKind.NamedDocuments) return `编号 ${document_id.join('、')}`
  return max_price > 0 ? `价格不超过 ${max_price} ${creditName}` : '不限价格'
}

export function BatchLimit({ batch }: { batch: Kind }) {
  return describeBatch(batch, useCreditName())
}

export function describeValidity({ valid_from, valid_until }: Validity): string {
  if (valid_from === null && valid_until === null) return '长期有效'
  if (valid_until === null) return `${formatTime(valid_from ?? 0)} 起`
  return valid_from === null
    ? `到 ${formatTime(valid_until)}`
    : `${formatTime(valid_from)} 到 ${formatTime(valid_until)}`
}
