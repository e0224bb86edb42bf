import { CheckOutlined, DeleteOutlined, FolderOpenOutlined } from '@ant-design/icons'
import { Button, Flex, Input, Popover, Space, Tooltip, Typography } from 'antd'
import { useState } from 'react'
import { savedViews, type SavedView } from '#shared/contract/saved-views.ts'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { QueryState } from '#web/admin/engine/query-state.tsx'
import styles from '#web/admin/engine/views/views.module.css'
import { api } from '#web/lib/api.ts'
import { useQuery } from '#web/lib/use-query.ts'

/** Filters and order as in the address, and the columns. */
export type ViewState = Pick<SavedView, 'query' | 'column'>

interface ViewMenuProps {
  screen: string
  current: ViewState
  onApply: (view: ViewState) => void
}

/** The named views of a list, saved with the account. */
export function ViewMenu(props: ViewMenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  const content = isOpen && <Views {...props} onClose={() => setIsOpen(false)} />
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title="视图"
      open={isOpen}
      onOpenChange={setIsOpen}
      content={content}
    >
      <Tooltip title={isOpen ? '' : '视图'}>
        <Button icon={<FolderOpenOutlined />} aria-label="视图" aria-expanded={isOpen} />
      </Tooltip>
    </Popover>
  )
}

function Views({ screen, current, onApply, onClose }: ViewMenuProps & { onClose: () => void }) {
  const views = useQuery(screen, () => api(savedViews.list, { screen }))
  const [name, setName] = useState('')
  const { busy, run } = useTask()
  const { showSuccess, showError } = useFeedback()
  const change = (label: string, send: () => Promise<unknown>) =>
    void run(async () => {
      try {
        await send()
        showSuccess(`${label}成功`)
        views.refetch()
      } catch (error) {
        showError(label, error)
      }
    })
  const save = () => {
    const trimmed = name.trim()
    if (!trimmed) return
    change('保存', async () => {
      await api(savedViews.save, { screen, name: trimmed, query: current.query, column: current.column })
      setName('')
    })
  }
  return (
    <div className={styles.views}>
      <QueryState query={views}>
        {({ view }) =>
          view.length === 0 ? (
            <Typography.Paragraph type="secondary">把现在的筛选、排序和列存成视图，下次一点就到。</Typography.Paragraph>
          ) : (
            <ul className={styles.list}>
              {view.map((item) => (
                <li key={item.id}>
                  <Button
                    type="text"
                    block
                    className={styles.name}
                    icon={isSame(item, current) ? <CheckOutlined /> : undefined}
                    aria-current={isSame(item, current)}
                    onClick={() => {
                      onApply(item)
                      onClose()
                    }}
                  >
                    {item.name}
                  </Button>
                  <Button
                    type="text"
                    icon={<DeleteOutlined />}
                    aria-label={`删除视图“${item.name}”`}
                    onClick={() => change('删除', () => api(savedViews.delete, { id: [item.id] }))}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
      <Flex>
        <Space.Compact block>
          <Input
            value={name}
            maxLength={32}
            placeholder="视图名称"
            aria-label="视图名称"
            onChange={(event) => setName(event.target.value)}
            onPressEnter={save}
          />
          <Button type="primary" loading={busy} disabled={name.trim() === ''} onClick={save}>
            保存当前
          </Button>
        </Space.Compact>
      </Flex>
    </div>
  )
}

function isSame(view: ViewState, current: ViewState): boolean {
  return view.query === current.query && view.column.join() === current.column.join()
}
