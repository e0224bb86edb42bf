import { passkeys } from '#shared/contract/account-security.ts'
import { api } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { TextField } from '#web/ui/forms/input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

interface RenameDialogProps {
  id: number
  name: string
  onRenamed: () => void
  onClose: () => void
}

export function RenameDialog({ id, name, onRenamed, onClose }: RenameDialogProps) {
  const form = useForm({
    initial: { name },
    schema: passkeys.rename.input,
    required: { name: '请输入名称' },
    submit: async (values) => {
      await api(passkeys.rename, { id, name: values.name })
      onRenamed()
      onClose()
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title="给通行密钥改名">
      <form {...form.frame} className="mt-4 space-y-4">
        <TextField label="名称" {...form.field('name')} maxLength={64} autoComplete="off" />
        {form.problem && <Notice tone="danger">{form.problem}</Notice>}
        <div className="flex justify-end gap-3">
          <Button onClick={onClose}>取消</Button>
          <Button type="submit" variant="primary" busy={form.busy}>
            保存
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
