import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Route } from './+types/trial.ts'
import { formatYuan } from '#shared/prices.ts'
import { pageMeta } from '#web/domain/seo.ts'
import { apiBase } from '#web/lib/api-base.ts'
import { load } from '#web/lib/load.ts'
import { safeRedirect } from '#web/lib/redirect.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Page } from '#web/ui/page.tsx'

// The server does not render it: the address is a signed ticket, which is nothing for its cache of pages.
export const clientLoader = load(({ url }) => Promise.resolve({ search: url.search })).client

/** Stands for the page of a provider while the owner tries payments out. */
export default function Trial({ loaderData: { search } }: Route.ComponentProps) {
  const navigate = useNavigate()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const ticket = new URLSearchParams(search)
  const back = safeRedirect(ticket.get('return_path'), '/me/order')
  const pay = async () => {
    setBusy(true)
    try {
      const response = await fetch(`${apiBase()}/api/v1/pay/notify/trial`, { method: 'POST', body: search.slice(1) })
      if (!response.ok) throw new Error(String(response.status))
      await navigate(back)
    } catch {
      setProblem('没有成功：试运行可能已经关闭，请回到订单页面重新选择支付方式')
      setBusy(false)
    }
  }
  return (
    <Page narrow>
      <Card title="试运行付款">
        <p className="wrap-anywhere">{ticket.get('title')}</p>
        <p className="mt-1 text-2xl font-semibold tabular-nums">¥{formatYuan(Number(ticket.get('fen')) || 0)}</p>
        <p className="mt-2 text-muted">这里代替支付平台的页面，不会收钱。</p>
        {problem && (
          <div className="mt-4">
            <Notice tone="danger">{problem}</Notice>
          </div>
        )}
        <div className="mt-6 flex flex-wrap gap-3">
          <Button variant="primary" busy={busy} onClick={() => void pay()}>
            支付成功
          </Button>
          <Button onClick={() => void navigate(back)}>支付失败</Button>
        </div>
      </Card>
    </Page>
  )
}

export function HydrateFallback() {
  return (
    <Page narrow>
      <Card>
        <SkeletonRows count={4} />
      </Card>
    </Page>
  )
}

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta(matches[0].loaderData, { title: '试运行付款', isHidden: true })
}
