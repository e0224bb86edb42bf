import { useEffect, useState } from 'react'
import { rulesOf } from '#web/features/documents/upload/acceptance.ts'
import { DropZone } from '#web/features/documents/upload/drop-zone.tsx'
import { leftovers } from '#web/features/documents/upload/leftovers.ts'
import { ownQueue, queue, useQueue } from '#web/features/documents/upload/own-queue.ts'
import { PlanForm } from '#web/features/documents/upload/plan-form.tsx'
import { LeftoverNotice, RefusedNotice } from '#web/features/documents/upload/notices.tsx'
import { UploadList } from '#web/features/documents/upload/upload-list.tsx'
import { useSite } from '#web/lib/site.ts'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { PathNode } from '#web/ui/path-select.tsx'

/** Where members hand in documents. */
export function UploadDesk({ user, categories }: { user: number; categories: readonly PathNode[] }) {
  const { rows, refused, plan, isParked } = useQueue()
  const { security, system, language } = useSite().settings
  const rules = rulesOf(security)
  const [problem, setProblem] = useState('')
  const coin = system.credit_name || '积分'

  useEffect(() => {
    ownQueue(user)
    if (queue.state().plan.language === '' && language.some(({ code }) => code === 'zh-CN'))
      queue.plan({ language: 'zh-CN' })
  }, [user, language])

  const begin = () => {
    const isMissing = categories.length > 0 && plan.category.length === 0
    setProblem(isMissing ? '请选择分类' : '')
    if (isMissing) document.querySelector<HTMLElement>('#upload-plan select')?.focus()
    else queue.begin()
  }

  return (
    <div className="space-y-5">
      {isParked && <Notice tone="warning">登录曾经失效，上传已暂停。点击“开始上传”，从停下的地方继续。</Notice>}
      <LeftoverNotice user={user} rows={rows} />
      <Card>
        <div id="upload-plan">
          <PlanForm
            plan={plan}
            categories={categories}
            rules={rules}
            coin={coin}
            problem={plan.category.length > 0 ? '' : problem}
          />
        </div>
      </Card>
      <DropZone
        isFolder={plan.isFolder}
        exts={rules.exts}
        small={rows.length > 0}
        onFiles={(files) => queue.add(files, { rules, left: leftovers.of(user) })}
      />
      {refused.length > 0 && <RefusedNotice refused={refused} onDismiss={queue.dismissRefused} />}
      {rows.length > 0 && <UploadList rows={rows} plan={plan} coin={coin} onBegin={begin} />}
    </div>
  )
}
