import { Button, Flex } from 'antd'
import { useRef, useState } from 'react'
import { loadAllRows } from '#web/admin/engine/listing/all-rows.ts'
import styles from '#web/admin/engine/engine.module.css'
import { useFeedback, useTask } from '#web/admin/engine/feedback.ts'
import { type AnyCallAction, isApplicable } from '#web/admin/engine/use-actions.ts'
import type { Row } from '#web/admin/resource.ts'

interface SelectionBarProps {
  rows: Row[]
  /** How many rows match the filters, on all pages. */
  total: number
  actions: readonly AnyCallAction[]
  loadPage: (page: number) => Promise<{ rows: Row[]; total: number }>
  onSelect: (rows: Row[]) => void
  onAction: (action: AnyCallAction) => void
  onClear: () => void
}

/** More than this at once is work for the command line. */
const maxSelected = 10_000

export function SelectionBar({ rows, total, actions, loadPage, onSelect, onAction, onClear }: SelectionBarProps) {
  const { busy, run } = useTask()
  const { showError } = useFeedback()
  const [loaded, setLoaded] = useState(0)
  const stop = useRef<AbortController>(undefined)
  if (rows.length === 0) return null
  const selectable = Math.min(total, maxSelected)
  const selectAll = () =>
    run(async () => {
      const { signal } = (stop.current = new AbortController())
      setLoaded(0)
      try {
        onSelect(await loadAllRows(loadPage, { limit: maxSelected, signal, onProgress: setLoaded }))
      } catch (error) {
        if (!signal.aborted) showError('选择', error)
      }
    })
  const clear = () => {
    stop.current?.abort()
    onClear()
  }
  return (
    <Flex wrap align="center" gap={8} component="output" className={styles.selection}>
      <span>已选 {format(rows.length)} 项</span>
      {rows.length < selectable && (
        <Button size="small" type="link" loading={busy} className={styles.touchTarget} onClick={() => void selectAll()}>
          {busy ? `正在读取 ${format(loaded)} / ${format(selectable)}` : describeAll(total)}
        </Button>
      )}
      {actions
        .filter((action) => rows.some((row) => isApplicable(action, row)))
        .map((action) => (
          <Button
            key={action.label}
            size="small"
            danger={action.danger}
            disabled={busy}
            className={styles.touchTarget}
            onClick={() => onAction(action)}
          >
            批量{action.label}
          </Button>
        ))}
      <Button size="small" type="link" className={styles.touchTarget} onClick={clear}>
        取消选择
      </Button>
    </Flex>
  )
}

function describeAll(total: number): string {
  return total > maxSelected
    ? `选择前 ${format(maxSelected)} 条符合条件的（共 ${format(total)} 条）`
    : `选择全部 ${format(total)} 条符合条件的`
}

function format(count: number): string {
  return count.toLocaleString('zh-CN')
}
