import { ReloadOutlined } from '@ant-design/icons'
import { Button, Empty, Flex, Input, Pagination, Segmented, Select, Tooltip } from 'antd'
import { useState } from 'react'
import { redirect, useNavigate, useRevalidator } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { InboxEntry as Entry } from '#shared/contract/reports.ts'
import type { Reply } from '#shared/endpoint.ts'
import { allCodes } from '#shared/codes.ts'
import { ReportReason, reportReasonLabels } from '#shared/enums.ts'
import { LoadError } from '#web/admin/engine/query-state.tsx'
import { HandleDialog, type Handling } from '#web/admin/reports/handle-dialog.tsx'
import { InboxEntry } from '#web/admin/reports/inbox-entry.tsx'
import { type InboxQuery, readInboxQuery, toInboxParams } from '#web/admin/reports/inbox-query.ts'
import styles from '#web/admin/reports/reports.module.css'
import { useEntryKeys } from '#web/admin/reports/use-entry-keys.ts'
import { api } from '#web/lib/api.ts'

const pageSize = 10

interface Inbox {
  query: InboxQuery
  inbox?: Reply<typeof contract.reports.inbox>
  error?: unknown
}

export async function loadInbox(url: URL): Promise<Inbox> {
  const query = readInboxQuery(url.searchParams)
  const { isHandled, reasons, wd, page } = query
  try {
    const inbox = await api(contract.reports.inbox, { status: [isHandled], reason: reasons, wd, page, size: pageSize })
    const lastPage = Math.max(1, Math.ceil(inbox.total / pageSize))
    // The last entry of the last page was handled.
    if (page > lastPage) throw redirect(`${url.pathname}?${toInboxParams({ ...query, page: lastPage }).toString()}`)
    return { query, inbox }
  } catch (error) {
    if (error instanceof Response) throw error
    return { query, error }
  }
}

/** Reports by document: read, decided and answered in one place. */
export function ReportInbox({ query, inbox, error }: Inbox) {
  const { revalidate, state } = useRevalidator()
  const navigate = useNavigate()
  const [handling, setHandling] = useState<Handling>()
  const entries = inbox?.entry ?? []
  const keys = useEntryKeys(entries, { isEnabled: handling === undefined, onHandle: setHandling })
  const change = (changes: Partial<InboxQuery>) =>
    void navigate({ search: toInboxParams({ ...query, page: 1, ...changes }).toString() })
  const reload = () => void revalidate()
  return (
    <section className={styles.sheet}>
      <Toolbar query={query} isLoading={state === 'loading'} onChange={change} onReload={reload} />
      {!query.isHandled && entries.length > 0 && <KeyHint />}
      {inbox ? (
        <Entries entries={entries} empty={describeEmpty(query)} keys={keys} onHandle={setHandling} onChanged={reload} />
      ) : (
        <LoadError error={error} onRetry={reload} />
      )}
      {inbox && (
        <Pagination
          align="center"
          current={query.page}
          pageSize={pageSize}
          total={inbox.total}
          hideOnSinglePage
          showSizeChanger={false}
          onChange={(page) => change({ page })}
        />
      )}
      {handling && (
        <HandleDialog
          handling={handling}
          onClose={() => setHandling(undefined)}
          onDone={() => {
            setHandling(undefined)
            reload()
          }}
        />
      )}
    </section>
  )
}

interface ToolbarProps {
  query: InboxQuery
  isLoading: boolean
  onChange: (changes: Partial<InboxQuery>) => void
  onReload: () => void
}

const reasonOptions = allCodes(ReportReason).map((value) => ({ value, label: reportReasonLabels[value] }))

function Toolbar({ query: { isHandled, reasons, wd }, isLoading, onChange, onReload }: ToolbarProps) {
  return (
    <Flex wrap gap={8} component="search" className={styles.toolbar}>
      <Segmented
        aria-label="处理状态"
        value={isHandled}
        options={[
          { value: false, label: '待处理' },
          { value: true, label: '已处理' },
        ]}
        onChange={(value) => onChange({ isHandled: value })}
      />
      <Input.Search
        key={wd}
        defaultValue={wd}
        allowClear
        enterButton
        placeholder="搜索文档标题"
        aria-label="搜索文档标题"
        className={styles.search}
        onSearch={(text) => onChange({ wd: text.trim() })}
      />
      <Select
        mode="multiple"
        allowClear
        maxTagCount="responsive"
        placeholder="原因"
        aria-label="原因"
        className={styles.reasons}
        options={reasonOptions}
        value={reasons}
        onChange={(value) => onChange({ reasons: value })}
      />
      <Tooltip title="刷新">
        <Button icon={<ReloadOutlined spin={isLoading} />} aria-label="刷新" onClick={onReload} />
      </Tooltip>
    </Flex>
  )
}

function KeyHint() {
  return (
    <p className={styles.keyHint}>
      键盘：<kbd>J</kbd> <kbd>K</kbd> 下一份、上一份，<kbd>O</kbd> 打开文档，<kbd>N</kbd> 不成立，<kbd>D</kbd>{' '}
      禁用文档，
      <kbd>X</kbd> 删除文档，<kbd>H</kbd> 其他处理
    </p>
  )
}

interface EntriesProps {
  entries: readonly Entry[]
  empty: string
  keys: ReturnType<typeof useEntryKeys>
  onHandle: (handling: Handling) => void
  onChanged: () => void
}

function Entries({ entries, empty, keys, onHandle, onChanged }: EntriesProps) {
  if (entries.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />
  return (
    <ul className={styles.entries}>
      {entries.map((entry, index) => (
        <li key={entry.id}>
          <InboxEntry entry={entry} keys={keys.propsOf(index)} onHandle={onHandle} onChanged={onChanged} />
        </li>
      ))}
    </ul>
  )
}

function describeEmpty({ isHandled, reasons, wd }: InboxQuery): string {
  if (wd || reasons.length > 0) return '没有符合条件的举报，请调整筛选条件'
  return isHandled ? '还没有处理过的举报' : '没有待处理的举报'
}
