import { passkeys } from '#shared/contract/account-security.ts'
import { describeDevice } from '#shared/device.ts'
import { useAction } from '#web/features/users/security/use-action.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Named after the browser and its system; the member can rename it. */
export function AddPasskey({ onAdded }: { onAdded: () => void }) {
  const add = useAction(async () => {
    const { options } = await api(passkeys.createOptions)
    const { createPasskey, explainCreation } = await import('#web/features/users/security/passkeys/ceremonies.ts')
    const passkey = await createPasskey(options).catch((error: unknown) => {
      toast(explainCreation(error), 'danger')
    })
    if (passkey === undefined) return
    await api(passkeys.create, { name: describeDevice(navigator.userAgent), passkey })
    toast('通行密钥已添加')
    onAdded()
  })
  return (
    <Button size="sm" variant="primary" busy={add.busy} onClick={add.run}>
      添加通行密钥
    </Button>
  )
}
