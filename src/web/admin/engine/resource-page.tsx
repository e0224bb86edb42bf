import { PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Empty, Flex, Grid, Tooltip, Typography } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate, useNavigation, useRevalidator, useSearchParams } from 'react-router'
import { decode, queryToObject } from '#shared/wire.ts'
import { ColumnPicker } from '#web/admin/engine/column-picker.tsx'
import styles from '#web/admin/engine/engine.module.css'
import { ExportButton } from '#web/admin/engine/export/export-button.tsx'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import { FilterBar } from '#web/admin/engine/filter-bar.tsx'
import { type DialogState, OpenDialog } from '#web/admin/engine/forms/open-dialog.tsx'
import { type Listing, pageLoader } from '#web/admin/engine/listing/listing.ts'
import { useOrdering } from '#web/admin/engine/ordering/use-ordering.ts'
import { useVisibleColumns, writePreferences } from '#web/admin/engine/preferences.ts'
import { LoadError } from '#web/admin/engine/query-state.tsx'
import { ResourceCards } from '#web/admin/engine/resource-cards.tsx'
import { ResourceTable } from '#web/admin/engine/resource-table.tsx'
import { toRowActions } from '#web/admin/engine/row-actions.tsx'
import { noneSelected, selectOnPage, toSelection, withCurrent } from '#web/admin/engine/selection/selected-rows.ts'
import { SelectionBar } from '#web/admin/engine/selection/selection-bar.tsx'
import { useSelection } from '#web/admin/engine/selection/use-selection.ts'
import { BulkRunDialog, useBulkRun } from '#web/admin/engine/selection/use-bulk-run.tsx'
import { useAutoReload } from '#web/admin/engine/listing/use-auto-reload.ts'
import { toIdInput, useActions, useConfirm } from '#web/admin/engine/use-actions.ts'
import { ViewMenu, type ViewState } from '#web/admin/engine/views/view-menu.tsx'
import { toViewQuery } from '#web/admin/engine/views/view-query.ts'
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
  const { selected, setSelected } = useSelection(listing.query)
  const [dialog, setDialog] = useState<DialogState>()
  const { showError } = useFeedback()
  const actions = useActions(resource)
  const { rows, ordering } = useOrdering(resource, listing)
  useAutoReload(resource, listing)
  const reload = () => void revalidate()
  const bulkRun = useBulkRun((left) => {
    setSelected(toSelection(left))
    reload()
  })
  const confirm = useConfirm(resource, {
    onDone: () => {
      setSelected(noneSelected)
      reload()
    },
    onBulk: bulkRun.start,
  })

  // A second change, made while the rows of the first are still loading, must not lose the first.
  const next = navigation.location?.pathname === pathname ? new URLSearchParams(navigation.location.search) : params
  const turnPage = (changes: Record<string, string[]>) => setParams(withParams(next, changes))
  const changeFilters = (changes: Record<string, string[]>) => turnPage({ page: [], ...changes })
  const applyView = ({ query, column }: ViewState) => {
    setParams(new URLSearchParams(query))
    const known = column.filter((key) => resource.columns.some((candidate) => candidate.key === key))
    if (known.length > 0) columns.change(known)
  }
  const close = async () => {
    setDialog(undefined)
    if (params.has('new')) await navigate({ search: withParams(params, { new: [] }).toString() }, { replace: true })
  }
  const finish = async () => {
    setSelected(noneSelected)
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
  const selectedRows = withCurrent(selected, listing.rows)
  const visibleColumns = resource.columns.filter(({ key }) => columns.visible.includes(key))
  const actionsOf = (row: Row) =>
    toRowActions(row, {
      actions: actions.rowActions,
      editLabel: resource.editLabel,
      onEdit:
        update && (resource.isEditable?.(row) ?? true)
          ? () => setDialog({ kind: 'update', endpoint: update, row, get: actions.get })
          : undefined,
      onAction: (action) => start(action, [row]),
    })
  const Rows = isWide ? ResourceTable : ResourceCards
  return (
    <section className={styles.sheet}>
      <Flex wrap gap={12} justify="space-between" className={styles.toolbar}>
        <FilterBar resource={resource} query={listing.query} onChange={changeFilters} />
        <Flex gap={8} className={styles.buttons}>
          {actions.toolbarActions.map((action) => (
            <Button key={action.label} danger={action.danger} onClick={() => confirm(action, [])}>
              {action.label}
            </Button>
          ))}
          {createPage && <CreateButton title={resource.title} onClick={() => void navigate(createPage)} />}
          {create && (
            <CreateButton
              title={resource.title}
              onClick={() => setParams((before) => withParams(before, { new: ['1'] }))}
            />
          )}
          <ViewMenu
            screen={pathname}
            current={{ query: toViewQuery(params), column: columns.visible }}
            onApply={applyView}
          />
          <ExportButton resource={resource} listing={listing} columns={visibleColumns} endpoint={actions.export} />
          <Tooltip title="刷新">
            <Button icon={<ReloadOutlined spin={revalidation === 'loading'} />} aria-label="刷新" onClick={reload} />
          </Tooltip>
          {isWide && <ColumnPicker columns={resource.columns} visible={columns.visible} onChange={columns.change} />}
        </Flex>
      </Flex>
      {resource.summary && listing.reply !== undefined && (
        <resource.summary reply={listing.reply} filters={listing.query.filters} />
      )}
      {resource.hint && <Typography.Paragraph type="secondary">{resource.hint}</Typography.Paragraph>}
      <SelectionBar
        rows={selectedRows}
        total={listing.total}
        actions={actions.bulkActions}
        loadPage={pageLoader(resource, listing.query)}
        onSelect={(all) => setSelected(toSelection(all))}
        onAction={(action) => start(action, selectedRows)}
        onClear={() => setSelected(noneSelected)}
      />
      {listing.error ? (
        <LoadError error={listing.error} onRetry={reload} />
      ) : (
        <Rows
          listing={{ ...listing, rows }}
          ordering={actions.isOrderable ? ordering : undefined}
          tree={resource.tree}
          columns={visibleColumns}
          loading={navigation.state === 'loading' && navigation.location.pathname === pathname}
          empty={
            <EmptyList
              resource={resource}
              isCreatable={create !== undefined || createPage !== undefined}
              isFiltered={listing.query.wd !== '' || Object.keys(listing.query.filters).length > 0}
            />
          }
          tools={(row) => ({ patch: patchRow && ((changes) => patchRow(row, changes)) })}
          selection={
            actions.bulkActions.length > 0
              ? {
                  ids: listing.rows.flatMap(({ id }) => (selected.has(id) ? [id] : [])),
                  onChange: (ids) => setSelected(selectOnPage(selected, listing.rows, ids)),
                }
              : undefined
          }
          onOrder={(order) => turnPage({ page: [], order: order ? [order] : [] })}
          onPage={(page, size) => {
            writePreferences(pathname, { size })
            turnPage({ page: size === listing.query.size ? [String(page)] : [], size: [String(size)] })
          }}
          actionsOf={update || actions.rowActions.length > 0 ? actionsOf : undefined}
        />
      )}
      {ordering && (
        <output aria-live="assertive" className={styles.visuallyHidden}>
          {ordering.announcement}
        </output>
      )}
      {openDialog && (
        <OpenDialog
          resource={resource}
          dialog={openDialog}
          onClose={() => void close()}
          onDone={() => void finish()}
          onBulk={bulkRun.start}
        />
      )}
      {bulkRun.run && <BulkRunDialog run={bulkRun.run} onStop={bulkRun.stop} onClose={bulkRun.close} />}
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
