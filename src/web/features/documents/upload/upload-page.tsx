import { Suspense, useEffect, useState } from 'react'
import { uploadRules } from '#web/features/documents/upload/acceptance.ts'
import { DropZone } from '#web/features/documents/upload/drop-zone.tsx'
import { unfinishedUploads } from '#web/features/documents/upload/transfer/unfinished-uploads.ts'
import { claimQueue, queue, useQueue } from '#web/features/documents/upload/window-queue.ts'
import { DefaultsForm } from '#web/features/documents/upload/defaults-form.tsx'
import { UnfinishedNotice, RejectedNotice } from '#web/features/documents/upload/notices.tsx'
import { ownerProblem } from '#web/features/documents/upload/owner-field.tsx'
import { countRows, isStartable } from '#web/features/documents/upload/row.ts'
import { UploadList } from '#web/features/documents/upload/upload-list.tsx'
import { RightsField, statedRights, UploadAllowance } from '#web/features/documents/upload/upload-terms.tsx'
import { audienceProblem } from '#web/features/documents/visibility/audience.ts'
import { useCreditName, useSite } from '#web/domain/site.ts'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { lazyPart, QuietFailure } from '#web/ui/lazy-part.tsx'
import type { PathNode } from '#web/ui/forms/path-select.tsx'

const FirstUpload = lazyPart(
  async () => (await import('#web/features/documents/upload/first-upload/first-upload.tsx')).FirstUpload,
  QuietFailure,
)

interface UploadPageProps {
  user: number
  /** How many the member has published. */
  documentCount: number
  categories: readonly PathNode[]
}

export function UploadPage({ user, documentCount, categories }: UploadPageProps) {
  const { rows, rejected, defaults, isSuspended } = useQueue()
  const { security, language } = useSite().settings
  const rules = uploadRules(security)
  const [isStarted, setIsStarted] = useState(false)
  const [hasRights, setHasRights] = useState(() => statedRights.read(user))
  const creditName = useCreditName()
  // The count of when the page was opened: it changes with the uploads.
  const [isFirst] = useState(documentCount === 0)
  const { submitted, busy } = countRows(rows)

  useEffect(() => {
    claimQueue(user)
    if (queue.state().defaults.language === '' && language.some(({ code }) => code === 'zh-CN'))
      queue.setDefaults({ language: 'zh-CN' })
  }, [user, language])

  const needsCategory =
    categories.length > 0 &&
    defaults.category.length === 0 &&
    rows.some((row) => isStartable(row) && row.ownCategory === undefined)
  const problems = {
    category: needsCategory ? '请选择分类' : '',
    owner: ownerProblem(defaults.owner),
    audience: audienceProblem(defaults.audience),
    rights: hasRights ? '' : '请先确认您有权发布这些文件',
  }
  const shown = (problem: string) => (isStarted ? problem : '')
  const start = () => {
    setIsStarted(true)
    if (problems.category) document.querySelector<HTMLElement>('#upload-defaults select')?.focus()
    else if (problems.rights) document.querySelector<HTMLElement>('#upload-rights input')?.focus()
    if (Object.values(problems).some(Boolean)) return
    setIsStarted(false)
    queue.start()
  }
  const stateRights = (isStated: boolean) => {
    setHasRights(isStated)
    statedRights.write(user, isStated)
  }

  return (
    <div className="space-y-5">
      {isSuspended && <Notice tone="warning">登录曾经失效，上传已暂停。点击“开始上传”，从停下的地方继续。</Notice>}
      <UnfinishedNotice user={user} rows={rows} />
      <DropZone
        exts={rules.exts}
        small={rows.length > 0}
        onFiles={(files) => queue.add(files, { rules, unfinished: unfinishedUploads.of(user) })}
      >
        <UploadAllowance rules={rules} submitted={submitted} />
      </DropZone>
      {rejected.length > 0 && <RejectedNotice rejected={rejected} onDismiss={queue.dismissRejected} />}
      <Card>
        <div id="upload-defaults">
          <DefaultsForm
            defaults={defaults}
            categories={categories}
            creditName={creditName}
            problem={shown(problems.category)}
            ownerProblem={shown(problems.owner)}
            audienceProblem={shown(problems.audience)}
          />
        </div>
        <div id="upload-rights" className="mt-5 border-t border-line pt-4">
          <RightsField checked={hasRights} problem={shown(problems.rights)} onChange={stateRights} />
        </div>
      </Card>
      {rows.length > 0 && (
        <UploadList rows={rows} categories={categories} defaults={defaults} creditName={creditName} onStart={start} />
      )}
      {isFirst && submitted > 0 && busy === 0 && (
        <Suspense>
          <FirstUpload rows={rows} />
        </Suspense>
      )}
    </div>
  )
}
