import { ImagePlus, X } from 'lucide-react'
import { useId, useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { orders, type Order } from '#shared/contract/orders.ts'
import { PaymentMethod } from '#shared/enums.ts'
import { pictureTypes } from '#web/domain/pictures/crop-picture.ts'
import { uploadPicture } from '#web/domain/pictures/upload-picture.ts'
import { formatYuan } from '#shared/prices.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextArea } from '#web/ui/forms/textarea.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface ClaimFormProps {
  order: Order
  method: PaymentMethod
  /** The owner's name for the method. */
  title: string
  /** The owner's instructions. */
  text: string
  onBack: () => void
}

const maxLength = 500

/** Paying outside the site: how, and then the buyer's word that it was done. */
export function ClaimForm({ order, method, title, text, onBack }: ClaimFormProps) {
  const { revalidate } = useRevalidator()
  const [content, setContent] = useState('')
  const [picture, setPicture] = useState('')
  const [missing, setMissing] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const claim = async () => {
    setBusy(true)
    setProblem('')
    try {
      await api(orders.claim, { order_no: order.order_no, payment_type: method, content: content.trim(), picture })
      toast('已告诉管理人员，请等待确认')
      await revalidate()
    } catch (error) {
      setProblem(errorMessage(error, '没有提交成功，请稍后重试'))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    if (content.trim() === '') {
      setMissing('请写下付款的人和时间，方便管理人员查找')
      event.currentTarget.querySelector('textarea')?.focus()
    } else void claim()
  }
  return (
    <form onSubmit={submit} noValidate>
      <h2 className="text-lg">{title}付款</h2>
      <ol className="mt-4 space-y-6">
        <li>
          <h3 className="font-medium">
            第一步：付款 <span className="tabular-nums">¥{formatYuan(order.money)}</span>
          </h3>
          <p className="mt-2 rounded-md bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-line">
            {text || '网站没有写明付款的办法，请联系管理员。'}
          </p>
          <p className="mt-2 text-sm text-muted">
            {method === PaymentMethod.Cash ? '付款时请报上订单号' : '付款时请在备注里写上订单号'}{' '}
            <span className="text-ink tabular-nums select-all">{order.order_no}</span>
          </p>
        </li>
        <li>
          <h3 className="mb-3 font-medium">第二步：告诉我们已经付款</h3>
          <TextArea
            label="付款说明"
            name="content"
            value={content}
            onChange={(value) => {
              setContent(value)
              setMissing('')
            }}
            error={missing || undefined}
            help="付款人、时间，或转账单号的后几位"
            maxLength={maxLength}
          />
          <ProofPicture picture={picture} onChange={setPicture} />
        </li>
      </ol>
      {problem && (
        <div className="mt-4">
          <Notice tone="danger">{problem}</Notice>
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={busy}>
          我已付款
        </Button>
        <Button onClick={onBack}>换一种支付方式</Button>
      </div>
    </form>
  )
}

function ProofPicture({ picture, onChange }: { picture: string; onChange: (picture: string) => void }) {
  const inputId = useId()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const send = async (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    setProblem('')
    try {
      onChange(await uploadPicture('order', file))
    } catch (error) {
      setProblem(errorMessage(error, '上传没有成功，请稍后重试'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="mt-4">
      <p className="mb-1.5 text-sm font-medium">付款截图（可以不传）</p>
      {picture && (
        <div className="mb-2 flex items-center gap-2">
          <img src={picture} alt="付款截图" className="size-24 rounded-md border border-line object-cover" />
          <IconButton label="去掉付款截图" onClick={() => onChange('')}>
            <X size={16} aria-hidden />
          </IconButton>
        </div>
      )}
      <input
        id={inputId}
        type="file"
        accept={pictureTypes}
        aria-label="选择付款截图"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          void send(target.files?.[0])
          // Otherwise choosing the same file again would be no change.
          target.value = ''
        }}
      />
      <Button size="sm" busy={busy} onClick={() => document.getElementById(inputId)?.click()}>
        {!busy && <ImagePlus size={15} aria-hidden />}
        {picture ? '换一张' : '添加截图'}
      </Button>
      <p aria-live="polite" className="text-sm text-danger not-empty:mt-1.5">
        {problem}
      </p>
    </div>
  )
}
