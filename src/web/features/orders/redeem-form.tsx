import { useState, type FormEvent } from 'react'
import { useRevalidator } from 'react-router'
import { codes } from '#shared/contract/codes.ts'
import { readDownloadCode } from '#shared/download-code.ts'
import { refreshUser } from '#web/domain/account.ts'
import { useCreditName } from '#web/domain/site.ts'
import { DownloadCodeField } from '#web/features/orders/download-code-field.tsx'
import { mistypedCode } from '#web/features/orders/mistyped-code.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Turns a download code into credits. */
export function RedeemForm() {
  const creditName = useCreditName()
  const { revalidate } = useRevalidator()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const redeem = async () => {
    setBusy(true)
    try {
      const { credits } = await api(codes.redeem, { code: code.trim() })
      toast(`已得到 ${credits} ${creditName}`)
      setCode('')
      await Promise.allSettled([refreshUser(), revalidate()])
    } catch (error) {
      setProblem(errorMessage(error, '没有换成，请稍后重试'))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (busy) return
    if (readDownloadCode(code) !== undefined) {
      void redeem()
      return
    }
    setProblem(mistypedCode(code))
    event.currentTarget.querySelector('input')?.focus()
  }
  return (
    <form onSubmit={submit} noValidate className="max-w-md">
      <DownloadCodeField
        value={code}
        error={problem}
        onChange={(typed) => {
          setCode(typed)
          setProblem('')
        }}
      />
      <div className="mt-4">
        <Button type="submit" variant="primary" busy={busy}>
          {`兑换${creditName}`}
        </Button>
      </div>
    </form>
  )
}
