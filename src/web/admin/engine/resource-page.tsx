import { PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Empty, Flex, Grid, Tooltip, Typography } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate, useNavigation, useRevalidator, useSearchParams } from 'react-router'
import { decode, queryToObject } from '#shared/wire.ts'
import { ColumnPicker } from '#web/admin/engine/column-picker.tsx'
import styles from '#web/admin/engine/engine.module.css'
import { ExportButton } from '#web/admin/engine/export-button.tsx'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import { FilterBar } from '#web/admin/engine/filter-bar.tsx'
import { type DialogState, OpenDialog } from '#web/admin/engine/forms/open-dialog.tsx'
import type { Listing } from '#web/admin/engine/listing.ts'
import { useOrdering } from '#web/admin/engine/ordering/use-ordering.ts'
import { useVisibleColumns, writePreferences } from '#web/admin/engine/preferences.ts'
import { LoadError } from '#web/admin/engine/query-state.tsx'
import { ResourceCards } from '#web/admin/engine/resource-cards.tsx'
import { ResourceTable } from '#web/admin/engine/resource-table.tsx'
import { RowActions } from '#web/admin/engine/row-actions.tsx'
import { SelectionBar } from '#web/admin/engine/selection-bar.tsx'
import { toIdInput, useActions, useConfirm } from '#web/admin/engine/use-actions.ts'
import type { AnyAction, Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

/** A described screen: search and filters, the rows, and the actions on them. */
export function ResourcePage({ resource, listing }: { resource: Resource; listing: Listing }) {
  const { pathname } = useLocation()
  const [params, setParams] = useSearchParams()
  const { revalidate, state: revalidation } = useRevalidator()
  const navigate = useNavigate()
  const navigation = useNavigation()
  const isWide = Grid.useBreakpoint().md ?? true
  const defaultColumns = resource.columns.filter(({ hiddenByDefault }) => !hiddenByDefault).map(({ key }) => key)
  const columns = useVisibleColumns(pathname, defaultColumns)
  const [selectedIds, setSelectedIds] = useState<number[]>([])
  const [dialog, setDialog] = useState<DialogState>()
  const { showError } = useFeedback()
  const actions = useActions(resource)
  const { rows, ordering } = useOrdering(resource, listing)
  const reload = () => void revalidate()
  const confirm = useConfirm(resource, reload)

  const changeQuery = (changes: Record<string, string[]>) => {
    setSelectedIds([])
    setParams((before) => withParams(before, { page: [], ...changes }))
  }
  const close = async () => {
    setDialog(undefined)
    if (params.has('new')) await navigate({ search: withParams(params, { new: [] }).toString() }, { replace: true })
  }
  const finish = async () => {
    setSelectedIds([])
    await close()
    await revalidate()
  }
  const start = (action: AnyAction, rows: Row[]) => {
    const [row] = rows
    if (action.kind === 'call')
      return action.fields.length > 0 ? setDialog({ kind: 'call', action, rows }) : confirm(action, rows)
    if (action.kind === 'panel' && row) setDialog({ kind: 'panel', action, row })
  }
  const { create, createPage, update, patch } = actions
  const patchRow =
    patch &&
    (async (row: Row, changes: Record<string, unknown>) => {
      try {
        await api(patch, { ...toIdInput(patch, [row]), ...changes })
        await revalidate()
      } catch (error) {
        showError('保存', error)
      }
    })
  const isCreating = create !== undefined && params.has('new')
  const createDialog: DialogState | undefined = isCreating
    ? { kind: 'create', endpoint: create, initial: { ...resource.defaults, ...readDefaults(resource, params) } }
    : undefined
  const openDialog = dialog ?? createDialog
  const selectedRows = listing.rows.filter(({ id }) => selectedIds.includes(id))
  const Rows = isWide ? ResourceTable : ResourceCards
  return (
    <section className={styles.sheet}>
      <Flex wrap gap={12} justify="space-between" className={styles.toolbar}>
        <FilterBar resource={resource} query={listing.query} onChange={changeQuery} />
        <Flex gap={8} className={styles.buttons}>
          {actions.toolbarActions.map((action) => (
            <Button key={action.label} danger={action.danger} onClick={() => confirm(action, [])}>
              {action.label}
            </Button>
          ))}
          {actions.export && <ExportButton endpoint={actions.export} query={listing.query} />}
          {createPage && <CreateButton title={resource.title} onClick={() => void navigate(createPage)} />}
          {create && (
            <CreateButton
              title={resource.title}
              onClick={() => setParams((before) => withParams(before, { new: ['1'] }))}
            />
          )}
          <Tooltip title="刷新">
            <Button icon={<ReloadOutlined spin={revalidation === 'loading'} />} aria-label="刷新" onClick={reload} />
          </Tooltip>
          {isWide && <ColumnPicker columns={resource.columns} visible={columns.visible} onChange={columns.change} />}
        </Flex>
      </Flex>
      {resource.hint && <Typography.Paragraph type="secondary">{resource.hint}</Typography.Paragraph>}
      <SelectionBar
        rows={selectedRows}
        actions={actions.bulkActions}
        onAction={(action) => start(action, selectedRows)}
        onClear={() => setSelectedIds([])}
      />
      {listing.error ? (
        <LoadError error={listing.error} onRetry={reload} />
      ) : (
        <Rows
          listing={{ ...listing, rows }}
          ordering={actions.isOrderable ? ordering : undefined}
          tree={resource.tree}
          columns={resource.columns.filter(({ key }) => columns.visible.includes(key))}
          loading={navigation.state === 'loading' && navigation.location.pathname === pathname}
          empty={
            <EmptyList
              resource={resource}
              isCreatable={create !== undefined || createPage !== undefined}
              isFiltered={listing.query.wd !== '' || Object.keys(listing.query.filters).length > 0}
            />
          }
          tools={(row) => ({ patch: patchRow && ((changes) => patchRow(row, changes)) })}
          selection={actions.bulkActions.length > 0 ? { ids: selectedIds, onChange: setSelectedIds } : undefined}
          onOrder={(order) => changeQuery({ order: order ? [order] : [] })}
          onPage={(page, size) => {
            writePreferences(pathname, { size })
            changeQuery({ page: size === listing.query.size ? [String(page)] : [], size: [String(size)] })
          }}
          renderActions={
            update || actions.rowActions.length > 0
              ? (row) => (
                  <RowActions
                    row={row}
                    actions={actions.rowActions}
                    editLabel={resource.editLabel}
                    onEdit={update && (() => setDialog({ kind: 'update', endpoint: update, row, get: actions.get }))}
                    onAction={(action) => start(action, [row])}
                  />
                )
              : undefined
          }
        />
      )}
      {ordering && (
        <output aria-live="assertive" className={styles.visuallyHidden}>
          {ordering.announcement}
        </output>
      )}
      {openDialog && (
        <OpenDialog resource={resource} dialog={openDialog} onClose={() => void close()} onDone={() => void finish()} />
      )}
    </section>
  )
}

function CreateButton({ title, onClick }: { title: string; onClick: () => void }) {
  return (
    <Button type="primary" icon={<PlusOutlined />} className={styles.createButton} onClick={onClick}>
      新增{title}
    </Button>
  )
}

interface EmptyListProps {
  resource: Resource
  isCreatable: boolean
  isFiltered: boolean
}

function EmptyList({ resource: { title, emptyText }, isCreatable, isFiltered }: EmptyListProps) {
  const advice = isCreatable ? `，可以用“新增${title}”添加` : ''
  const text = isFiltered ? `没有符合条件的${title}，请调整筛选条件` : (emptyText ?? `还没有${title}${advice}`)
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={text} />
}

/** Query parameters fill the form for a new row: `user_id` of the user for whom 处罚 was chosen. */
function readDefaults(resource: Resource, params: URLSearchParams): Record<string, unknown> {
  const shape = resource.api.create?.input.shape ?? {}
  const query = queryToObject(params)
  const entries = resource.form.create.map(({ key }) => {
    const schema = shape[key]
    return [key, schema && query[key] ? decode(schema, query[key]) : undefined]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function withParams(before: URLSearchParams, changes: Record<string, string[]>): URLSearchParams {
  const next = new URLSearchParams(before)
  for (const [key, values] of Object.entries(changes)) {
    next.delete(key)
    for (const value of values) next.append(key, value)
  }
  return next
}
