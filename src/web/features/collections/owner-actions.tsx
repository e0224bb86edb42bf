import { useNavigate, useRevalidator } from 'react-router'
import { collections } from '#shared/contract/collections.ts'
import { FormButton } from '#web/features/collections/form-button.tsx'
import type { ShownCollection } from '#web/features/collections/collection-summary.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/overlay/confirm.tsx'
import { toast } from '#web/ui/overlay/toast.tsx'

interface OwnerActionsProps {
  collection: ShownCollection
  isArranging: boolean
  onArrange: (isArranging: boolean) => void
}

export function OwnerActions({ collection, isArranging, onArrange }: OwnerActionsProps) {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const remove = async () => {
    try {
      await api(collections.delete, { id: [collection.id] })
      toast('文集已删除')
      await navigate('/me/collections')
    } catch (error) {
      toast(errorMessage(error, '没有删除，请稍后重试'), 'danger')
    }
  }
  return (
    <>
      <Button
        size="sm"
        variant={isArranging ? 'primary' : 'plain'}
        onClick={() => {
          onArrange(!isArranging)
          if (isArranging) void revalidate()
        }}
      >
        {isArranging ? '完成整理' : '整理内容'}
      </Button>
      <FormButton collection={collection} onSaved={() => void revalidate()}>
        修改
      </FormButton>
      <Confirm
        renderTrigger={(open) => (
          <Button size="sm" onClick={open}>
            删除
          </Button>
        )}
        title="删除这个文集？"
        description={`“${collection.title}”会被删除，不能恢复；其中的文档和文章不受影响。`}
        action="删除"
        danger
        onConfirm={remove}
      />
    </>
  )
}
