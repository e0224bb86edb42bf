import { useEffect, useState } from 'react'
import { uploadRules } from '#web/features/documents/upload/acceptance.ts'
import { DropZone } from '#web/features/documents/upload/drop-zone.tsx'
import { unfinishedUploads } from '#web/features/documents/upload/transfer/unfinished-uploads.ts'
import { claimQueue, queue, useQueue } from '#web/features/documents/upload/window-queue.ts'
import { DefaultsForm } from '#web/features/documents/upload/defaults-form.tsx'
import { UnfinishedNotice, RejectedNotice } from '#web/features/documents/upload/notices.tsx'
import { ownerProblem } from '#web/features/documents/upload/owner-field.tsx'
import { UploadList } from '#web/features/documents/upload/upload-list.tsx'
import { audienceProblem } from '#web/features/documents/visibility/audience.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import type { PathNode } from '#web/ui/forms/path-select.tsx'

export function UploadPage({ user, categories }: { user: number; categories: readonly PathNode[] }) {
  const { rows, rejected, defaults, isSuspended } = useQueue()
  const { security, language } = useSite().settings
  const rules = uploadRules(security)
  const [problem, setProblem] = useState('')
  const [problemOfOwner, setProblemOfOwner] = useState('')
  const [isStarted, setIsStarted] = useState(false)
  const creditName = useCreditName()

  useEffect(() => {
    claimQueue(user)
    if (queue.state().defaults.language === '' && language.some(({ code }) => code === 'zh-CN'))
      queue.setDefaults({ language: 'zh-CN' })
  }, [user, language])

  const start = () => {
    const isMissing = categories.length > 0 && defaults.category.length === 0
    const unknownOwner = ownerProblem(defaults.owner)
    setProblemOfOwner(unknownOwner)
    setProblem(isMissing ? '请选择分类' : '')
    setIsStarted(true)
    if (isMissing) document.querySelector<HTMLElement>('#upload-defaults select')?.focus()
    else if (unknownOwner === '' && audienceProblem(defaults.audience) === '') queue.start()
  }

  return (
    <div className="space-y-5">
      {isSuspended && <Notice tone="warning">登录曾经失效，上传已暂停。点击“开始上传”，从停下的地方继续。</Notice>}
      <UnfinishedNotice user={user} rows={rows} />
      <Card>
        <div id="upload-defaults">
          <DefaultsForm
            defaults={defaults}
            categories={categories}
            rules={rules}
            creditName={creditName}
            problem={defaults.category.length > 0 ? '' : problem}
            ownerProblem={ownerProblem(defaults.owner) === '' ? '' : problemOfOwner}
            audienceProblem={isStarted ? audienceProblem(defaults.audience) : ''}
          />
        </div>
      </Card>
      <DropZone
        isFolder={defaults.isFolder}
        exts={rules.exts}
        small={rows.length > 0}
        onFiles={(files) => queue.add(files, { rules, unfinished: unfinishedUploads.of(user) })}
      />
      {rejected.length > 0 && <RejectedNotice rejected={rejected} onDismiss={queue.dismissRejected} />}
      {rows.length > 0 && <UploadList rows={rows} defaults={defaults} creditName={creditName} onStart={start} />}
    </div>
  )
}
