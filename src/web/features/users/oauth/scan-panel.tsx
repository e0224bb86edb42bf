import { RefreshCw } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { oauth } from '#shared/contract/oauth.ts'
import type { Reply } from '#shared/endpoint.ts'
import type { OauthIntent } from '#shared/enums.ts'
import { ApiError } from '#shared/errors.ts'
import { api, errorMessage } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'

type Poll = Reply<typeof oauth.pollScan>

interface ScanPanelProps {
  intent: OauthIntent
  onConfirmed: (reply: Poll) => unknown
}

const pollMs = 2000

/** A code of the mini program; the page waits until it was scanned and confirmed. */
export function ScanPanel({ intent, onConfirmed }: ScanPanelProps) {
  const { data, error, isLoading, refetch } = useQuery(intent, () => api(oauth.beginScan, { intent }))
  const [endedScene, setEndedScene] = useState('')
  const isOver = data !== undefined && endedScene === data.scene
  const confirm = useEffectEvent(onConfirmed)
  useEffect(() => {
    if (!data || isOver) return undefined
    const { scene, secret } = data
    let timer: ReturnType<typeof setTimeout> | undefined
    let isLeft = false
    const poll = async () => {
      try {
        const reply = await api(oauth.pollScan, { scene, secret })
        if (isLeft) return
        // The reply of a second step has a token and no status.
        if (reply.status === 'confirmed' || reply.token) return void confirm(reply)
      } catch (failure) {
        // A network that is gone for a moment is not the end of the code.
        const isRefused = failure instanceof ApiError && failure.status >= 400 && failure.status < 500
        if (!isLeft && isRefused) return setEndedScene(scene)
      }
      if (!isLeft) timer = setTimeout(() => void poll(), pollMs)
    }
    timer = setTimeout(() => void poll(), pollMs)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [data, isOver])

  if (error !== undefined)
    return (
      <div className="space-y-4">
        <Notice tone="danger">{errorMessage(error, '没有取得二维码，请检查网络')}</Notice>
        <Button wide onClick={refetch}>
          重试
        </Button>
      </div>
    )
  return (
    <div className="text-center">
      <div className="relative mx-auto flex size-56 items-center justify-center rounded-lg border border-line bg-[#fff]">
        {data && <img src={data.picture} alt="小程序码" width={208} height={208} className="size-52" />}
        {isLoading && <Spinner />}
        {isOver && (
          <div className="absolute inset-0 flex flex-col items-center justify-center gap-3 rounded-lg bg-surface/95">
            <p>二维码已过期</p>
            <Button onClick={refetch} busy={isLoading}>
              <RefreshCw size={14} aria-hidden />
              刷新
            </Button>
          </div>
        )}
      </div>
      <output className="mt-4 block text-sm text-muted">
        {isOver ? '请刷新二维码' : `请用微信扫一扫，在小程序里确认${intent === 'bind' ? '绑定' : '登录'}`}
      </output>
    </div>
  )
}
