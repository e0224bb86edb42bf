import { useState } from 'react'
import { privacy } from '#shared/contract/privacy.ts'
import type { Reply } from '#shared/endpoint.ts'
import { isMasked } from '#shared/identity.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField, type TextFieldProps } from '#web/ui/forms/input.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface IdentityFieldProps extends Omit<TextFieldProps, 'beside'> {
  onReveal: (identity: Reply<typeof privacy.identity>) => void
}

/** The own name or number: shown masked, and to be changed once it was asked for. */
export function IdentityField({ onReveal, ...rest }: IdentityFieldProps) {
  const [busy, setBusy] = useState(false)
  const masked = isMasked(rest.value)
  const reveal = async () => {
    setBusy(true)
    try {
      onReveal(await api(privacy.identity))
    } catch (error) {
      toast(error instanceof Error ? error.message : '没有加载成功，请稍后重试', 'danger')
    } finally {
      setBusy(false)
    }
  }
  return (
    <TextField
      {...rest}
      readOnly={masked}
      help={!masked && '加密保存，只有您和有权限的管理人员能看到'}
      beside={
        masked && (
          <Button className="h-11 shrink-0" busy={busy} aria-label={`显示${rest.label}`} onClick={() => void reveal()}>
            显示
          </Button>
        )
      }
    />
  )
}
