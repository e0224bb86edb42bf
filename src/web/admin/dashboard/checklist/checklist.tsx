import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons'
import { Button, Card, Flex, Progress } from 'antd'
import { Link } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import styles from '#web/admin/dashboard/checklist/checklist.module.css'
import { type Checklist, isOffer, itemTexts } from '#web/admin/dashboard/checklist/items.ts'
import { LoadAlert } from '#web/admin/dashboard/dashboard-card.tsx'
import dashboardStyles from '#web/admin/dashboard/dashboard.module.css'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { usePermissions } from '#web/admin/engine/use-permissions.ts'
import { api } from '#web/lib/api.ts'
import { type QueryResult, useQuery } from '#web/lib/use-query.ts'

type Item = Checklist['item'][number]
type ChecklistQuery = QueryResult<Checklist>

/** For staff who may change the settings. */
export function useChecklist(): ChecklistQuery {
  const enabled = usePermissions().canCall(contract.checklist.get)
  return useQuery('checklist', () => api(contract.checklist.get), { enabled })
}

/** What is to be done on a new site, or to be decided after an upgrade, until it is dismissed. */
export function ChecklistCard({ query: { data, error, refetch } }: { query: ChecklistQuery }) {
  if (error && !data) return <LoadAlert title="开站清单加载失败" error={error} onRetry={refetch} />
  if (!data || data.dismissed || data.item.length === 0) return null
  const closed = data.item.filter(isClosed)
  const open = data.item.filter((item) => !isClosed(item))
  const offers = open.filter(({ key }) => isOffer(key))
  const rest = open.filter(({ key }) => !isOffer(key))
  return (
    <Card
      size="small"
      title={<h2 className={dashboardStyles.cardTitle}>开站清单</h2>}
      extra={<DismissButton dismissed={false} label="收起" onDone={refetch} />}
    >
      <Flex align="center" gap={12} className={styles.progress}>
        <Progress
          percent={Math.round((closed.length / data.item.length) * 100)}
          showInfo={false}
          aria-label="开站清单的进度"
        />
        <span className={styles.count}>
          {closed.length} / {data.item.length}
        </span>
      </Flex>
      {open.length === 0 && (
        <p className={styles.complete}>
          <CheckCircleFilled aria-hidden /> 都办好了。这张清单可以收起，以后从页面上方再打开。
        </p>
      )}
      {offers.length > 0 && (
        <section>
          <h3 className={styles.heading}>新版本带来的选择</h3>
          <p className={styles.note}>升级没有改动您的设置。下面这些是新网站的默认做法，您可以逐项决定。</p>
          <Items items={offers} checklist={data} onChange={refetch} />
        </section>
      )}
      {rest.length > 0 && (
        <section>
          {offers.length > 0 && <h3 className={styles.heading}>网站还缺的</h3>}
          <Items items={rest} checklist={data} onChange={refetch} />
        </section>
      )}
      {closed.length > 0 && <ClosedItems items={closed} onChange={refetch} />}
    </Card>
  )
}

/** Brings the dismissed list back. */
export function ChecklistButton({ query: { data, refetch } }: { query: ChecklistQuery }) {
  if (!data?.dismissed || data.item.length === 0) return null
  const open = data.item.filter((item) => !isClosed(item)).length
  return <DismissButton dismissed label={open > 0 ? `开站清单（还有 ${open} 项）` : '开站清单'} onDone={refetch} />
}

interface ItemsProps {
  items: readonly Item[]
  checklist: Checklist
  onChange: () => void
}

function Items({ items, checklist, onChange }: ItemsProps) {
  return (
    <ul className={styles.items}>
      {items.map(({ key }) => (
        <OpenItem key={key} itemKey={key} checklist={checklist} onChange={onChange} />
      ))}
    </ul>
  )
}

interface OpenItemProps extends Pick<ItemsProps, 'checklist' | 'onChange'> {
  itemKey: Item['key']
}

function OpenItem({ itemKey, checklist, onChange }: OpenItemProps) {
  const { title, why, links, apply, settle } = itemTexts[itemKey]
  const { canOpen } = usePermissions()
  const { busy, attempt } = useAttempt(title, onChange)
  const settleItem = () => api(contract.checklist.settle, { key: itemKey, is_settled: true })
  return (
    <li className={styles.item}>
      <div className={styles.text}>
        <h4 className={styles.title}>{title}</h4>
        <p className={styles.why}>{why(checklist)}</p>
      </div>
      <Flex wrap align="center" gap="4px 12px" className={styles.actions}>
        {(typeof links === 'function' ? links(checklist) : links)
          .filter(({ to }) => !to.startsWith('/admin') || canOpen(to.split(/[?#]/, 1)[0] ?? to))
          .map(({ label, to }) => (
            <Link key={to} to={to} aria-label={`${title}：${label}`}>
              {label}
            </Link>
          ))}
        {apply && (
          <Button
            type="primary"
            size="small"
            loading={busy}
            aria-label={`${title}：${apply.label}`}
            onClick={() =>
              void attempt(async () => {
                await apply.run(checklist)
                // A later change of mind does not bring the offer back.
                await settleItem()
              })
            }
          >
            {apply.label}
          </Button>
        )}
        <Button size="small" loading={busy} aria-label={`${title}：${settle}`} onClick={() => void attempt(settleItem)}>
          {settle}
        </Button>
      </Flex>
    </li>
  )
}

function ClosedItems({ items, onChange }: Pick<ItemsProps, 'items' | 'onChange'>) {
  return (
    <details className={styles.closed}>
      <summary>已完成 {items.length} 项</summary>
      <ul className={styles.closedItems}>
        {items.map((item) => (
          <ClosedItem key={item.key} item={item} onChange={onChange} />
        ))}
      </ul>
    </details>
  )
}

function ClosedItem({ item: { key, is_done }, onChange }: { item: Item; onChange: () => void }) {
  const { title, settle } = itemTexts[key]
  const { busy, attempt } = useAttempt(title, onChange)
  if (is_done) {
    return (
      <li>
        <CheckCircleFilled className={styles.done} aria-hidden /> {title}
      </li>
    )
  }
  return (
    <li>
      <MinusCircleOutlined aria-hidden /> {title}（{settle}）
      <Button
        type="link"
        size="small"
        loading={busy}
        aria-label={`${title}：恢复`}
        onClick={() => void attempt(() => api(contract.checklist.settle, { key, is_settled: false }))}
      >
        恢复
      </Button>
    </li>
  )
}

function DismissButton({ dismissed, label, onDone }: { dismissed: boolean; label: string; onDone: () => void }) {
  const { busy, attempt } = useAttempt(label, onDone)
  return (
    <Button
      type={dismissed ? 'default' : 'text'}
      size={dismissed ? 'middle' : 'small'}
      loading={busy}
      onClick={() => void attempt(() => api(contract.checklist.dismiss, { dismissed: !dismissed }))}
    >
      {label}
    </Button>
  )
}

/** Runs a change, then `onDone`; or says what went wrong. */
function useAttempt(label: string, onDone: () => void) {
  const { showError } = useFeedback()
  const { busy, run } = useTask()
  const attempt = (work: () => Promise<unknown>) =>
    run(async () => {
      try {
        await work()
        onDone()
      } catch (error) {
        showError(label, error)
      }
    })
  return { busy, attempt }
}

function isClosed({ is_done, is_settled }: Item): boolean {
  return is_done || is_settled
}
