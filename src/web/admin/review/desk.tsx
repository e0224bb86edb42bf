import { ArrowLeftOutlined, ArrowRightOutlined, CheckOutlined, CloseOutlined, ExportOutlined } from '@ant-design/icons'
import { Button, Result, Skeleton, Tag } from 'antd'
import { useCallback, useEffect, useState } from 'react'
import type { ReviewQueue } from '#shared/contract/review.ts'
import { formatRelative } from '#shared/format.ts'
import { LoadError } from '#web/admin/engine/query-state.tsx'
import { ContributorCard } from '#web/admin/review/contributor-card.tsx'
import { countDecided, countUndecided, type DeskState, type Outcome } from '#web/admin/review/desk-state.ts'
import { useKeys } from '#web/admin/review/keys.ts'
import { setPendingCount } from '#web/admin/review/pending-counts.ts'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import { AuthorActions } from '#web/admin/review/author-actions.tsx'
import { punishAuthor, RejectDialog } from '#web/admin/review/reject-dialog.tsx'
import styles from '#web/admin/review/review.module.css'
import type { ReviewItem, ReviewKind } from '#web/admin/review/review-kinds.tsx'
import { decisionLabels, useDesk } from '#web/admin/review/use-desk.ts'

interface DeskProps {
  kind: ReviewKind
  queue: ReviewQueue
  onReload: () => void
}

/** One item after the other: its preview, the facts beside it, and the decision below. */
export function Desk({ kind, queue, onReload }: DeskProps) {
  const desk = useDesk(kind, queue)
  const { state, item, error, outcome, undoable, judge, undo, go } = desk
  const [isRejecting, setRejecting] = useState(false)
  const canDecide = item !== undefined && item.isPending && outcome === undefined
  const approve = () => canDecide && judge('approve')
  const { showSuccess, showError } = useFeedback()
  const punish = async (...[id, reason, choice]: Parameters<typeof punishAuthor>) => {
    try {
      await punishAuthor(id, reason, choice)
      showSuccess('作者已处罚')
    } catch (error) {
      showError('处罚作者', error)
    }
  }
  const startRejecting = () => canDecide && setRejecting(true)
  const keys = { a: approve, r: startRejecting, z: undo, ArrowRight: () => go(1), ArrowLeft: () => go(-1) }
  useKeys(isRejecting ? {} : keys)
  const undecided = countUndecided(state)
  useEffect(() => setPendingCount(kind.key, undecided), [kind, undecided])
  const isAtEnd = state.at >= state.ids.length
  return (
    <section className={styles.desk} aria-label={`审核${kind.label}`}>
      {isAtEnd ? (
        <End kind={kind} state={state} onReturn={desk.returnToSkipped} onReload={onReload} />
      ) : (
        <ItemView
          key={state.at}
          kind={kind}
          item={item}
          error={error}
          outcome={outcome}
          onRetry={desk.retry}
          onReload={onReload}
        />
      )}
      <div className={styles.bar}>
        {undoable && (
          <output className={styles.undo}>
            <span>
              已{decisionLabels[undoable.decision]}《{undoable.item.title}》
            </span>
            <Button type="link" onClick={undo} aria-keyshortcuts="Z">
              撤销 <kbd aria-hidden>Z</kbd>
            </Button>
          </output>
        )}
        <Button
          icon={<ArrowLeftOutlined aria-hidden />}
          disabled={state.at === 0}
          onClick={() => go(-1)}
          aria-label="上一项"
        />
        <Progress state={state} />
        <Button
          icon={<ArrowRightOutlined aria-hidden />}
          disabled={isAtEnd}
          onClick={() => go(1)}
          aria-label="下一项"
        />
        <span className={styles.space} />
        <Button
          danger
          icon={<CloseOutlined aria-hidden />}
          disabled={!canDecide}
          onClick={startRejecting}
          aria-keyshortcuts="R"
        >
          不通过 <kbd aria-hidden>R</kbd>
        </Button>
        <Button
          type="primary"
          icon={<CheckOutlined aria-hidden />}
          disabled={!canDecide}
          onClick={approve}
          aria-keyshortcuts="A"
        >
          通过 <kbd aria-hidden>A</kbd>
        </Button>
      </div>
      {isRejecting && item && (
        <RejectDialog
          kind={kind}
          title={`《${item.title}》`}
          authorId={item.contributor.id}
          onClose={() => setRejecting(false)}
          onReject={(reason, punishment) => {
            setRejecting(false)
            judge('reject', reason)
            if (punishment) void punish(item.contributor.id, reason, punishment)
          }}
        />
      )}
    </section>
  )
}

function Progress({ state: { ids, unloaded, at } }: { state: DeskState }) {
  const total = ids.length + unloaded
  if (total === 0) return null
  return (
    <span className={styles.progress}>
      第 {Math.min(at + 1, total)} / 共 {total}
    </span>
  )
}

interface ItemViewProps {
  kind: ReviewKind
  item: ReviewItem | undefined
  error: unknown
  outcome: Outcome | undefined
  onRetry: () => void
  onReload: () => void
}

function ItemView({ kind, item, error, outcome, onRetry, onReload }: ItemViewProps) {
  // The keys that scroll are for the preview; on a phone the page itself scrolls.
  const focus = useCallback((pane: HTMLElement | null) => {
    if (!pane) return
    pane.tabIndex = 0
    pane.focus({ preventScroll: true })
    window.scrollTo({ top: 0 })
  }, [])
  if (!item && error) return <LoadError error={error} onRetry={onRetry} />
  if (!item) return <Skeleton active className={styles.waiting} title paragraph={{ rows: 10 }} />
  const { title, href, preview, facts, contributor, since } = item
  return (
    <div className={styles.item}>
      <header className={styles.title}>
        <h2>{title}</h2>
        {outcome && <Tag color={outcomeColors[outcome]}>{outcomeLabels[outcome]}</Tag>}
        {since !== null && !outcome && <Waited since={since} />}
        <a href={href} target="_blank" rel="noreferrer" aria-label="在网站上打开" title="在网站上打开">
          <ExportOutlined aria-hidden />
        </a>
      </header>
      <section ref={focus} aria-label={`${title} 的预览`} className={styles.preview}>
        {preview}
      </section>
      <aside className={styles.side} aria-label="相关信息">
        <ContributorCard contributor={contributor} label={kind.key === 'document' ? '上传者' : '作者'} />
        {contributor.id > 0 && <AuthorActions kind={kind} contributor={contributor} onDecided={onReload} />}
        {facts}
      </aside>
    </div>
  )
}

const dayMs = 86_400_000

/** Since it was handed in; after some days in a colour. */
function Waited({ since }: { since: number }) {
  const [now] = useState(Date.now)
  return <Tag color={now - since > 3 * dayMs ? 'volcano' : undefined}>{formatRelative(since, now)}提交</Tag>
}

const outcomeLabels: Record<Outcome, string> = { approve: '已通过', reject: '未通过', elsewhere: '别人已处理' }
const outcomeColors: Record<Outcome, string | undefined> = { approve: 'green', reject: 'volcano', elsewhere: undefined }

interface EndProps {
  kind: ReviewKind
  state: DeskState
  onReturn: () => void
  onReload: () => void
}

/** Nothing is left, or what was passed without a decision. */
function End({ kind: { label, measure }, state, onReturn, onReload }: EndProps) {
  const [decided, skipped] = [countDecided(state), countUndecided(state)]
  const count = (number: number) => `${number} ${measure}${label}`
  const isEmpty = state.ids.length === 0
  return (
    <Result
      className={styles.waiting}
      status={skipped > 0 ? 'info' : 'success'}
      title={isEmpty ? `没有等待审核的${label}` : `${label}都看过了`}
      subTitle={[decided > 0 && `审核了 ${count(decided)}`, skipped > 0 && `还有 ${count(skipped)}没有决定`]
        .filter(Boolean)
        .join('，')}
      extra={[
        skipped > 0 && (
          <Button key="skipped" type="primary" onClick={onReturn}>
            看没有决定的
          </Button>
        ),
        <Button key="reload" onClick={onReload}>
          看看有没有新的
        </Button>,
      ]}
    />
  )
}
