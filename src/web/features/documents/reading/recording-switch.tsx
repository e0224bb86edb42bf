import { useState } from 'react'
import { reading } from '#shared/contract/reading.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { toast } from '#web/ui/overlay/toast.tsx'

/** Whether the site records what the member reads. */
export function RecordingSwitch({ isPaused }: { isPaused: boolean }) {
  const [paused, setPaused] = useState(isPaused)
  const change = async (is_paused: boolean) => {
    setPaused(is_paused)
    try {
      await api(reading.setRecording, { is_paused })
      toast(is_paused ? '已暂停记录，之后读到哪里只留在这台设备上' : '已继续记录')
    } catch (error) {
      setPaused(!is_paused)
      toast(errorMessage(error, '没有成功，请稍后重试'), 'danger')
    }
  }
  return (
    <label className="flex min-h-8 items-center gap-2 text-sm text-muted">
      <input
        type="checkbox"
        checked={!paused}
        onChange={({ target }) => void change(!target.checked)}
        className="size-4.5 accent-accent"
      />
      记录我读到哪里
    </label>
  )
}
