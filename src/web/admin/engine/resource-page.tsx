import { PlusOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Empty, Flex, Grid, Tooltip, Typography } from 'antd'
import { useState } from 'react'
import { useLocation, useNavigate, useNavigation, useRevalidator, useSearchParams } from 'react-router'
import { decode, queryToObject } from '#shared/wire.ts'
import { ColumnChoice } from '#web/admin/engine/column-choice.tsx'
import { loadRow, useConfirm, useDeeds } from '#web/admin/engine/deeds.tsx'
import { useFeedback } from '#web/admin/engine/feedback.ts'
import { FilterBar } from '#web/admin/engine/filter-bar.tsx'
import type { Listing } from '#web/admin/engine/listing.ts'
import { type Open, Opened } from '#web/admin/engine/opened.tsx'
import { useShownColumns, writePreferences } from '#web/admin/engine/preferences.ts'
import { ResourceCards } from '#web/admin/engine/resource-cards.tsx'
import { ResourceTable } from '#web/admin/engine/resource-table.tsx'
import { RowActions } from '#web/admin/engine/row-actions.tsx'
import { SelectionBar } from '#web/admin/engine/selection-bar.tsx'
import { Failed } from '#web/admin/engine/states.tsx'
import { useOrdering } from '#web/admin/engine/use-ordering.ts'
import type { AnyAction, Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

/** A described screen: search and filters, the rows, what can be done with them. */
export function ResourcePage({ resource, listing }: { resource: Resource; listing: Listing }) {
  const { pathname } = useLocation()
  const [params, setParams] = useSearchParams()
  const { revalidate, state: rereading } = useRevalidator()
  const navigate = useNavigate()
  const navigation = useNavigation()
  const wide = Grid.useBreakpoint().md ?? true
  const usual = resource.columns.filter(({ extra }) => !extra).map(({ key }) => key)
  const { shown, choose } = useShownColumns(pathname, usual)
  const [chosen, setChosen] = useState<number[]>([])
  const [open, setOpen] = useState<Open>()
  const { failed } = useFeedback()
  const deeds = useDeeds(resource)
  const { rows, ordering } = useOrdering(resource, listing)
  const reread = () => void revalidate()
  const confirm = useConfirm(resource, reread)

  const change = (changes: Record<string, string[]>) => {
    setChosen([])
    setParams((before) => changed(before, { page: [], ...changes }))
  }
  const close = async () => {
    setOpen(undefined)
    if (params.has('new')) await navigate({ search: changed(params, { new: [] }).toString() }, { replace: true })
  }
  const finish = async () => {
    setChosen([])
    await close()
    await revalidate()
  }
  const act = (action: AnyAction, rows: Row[]) => {
    const [row] = rows
    if (action.kind === 'call')
      return action.ask.length > 0 ? setOpen({ kind: 'ask', action, rows }) : confirm(action, rows)
    if (action.kind === 'panel' && row) setOpen({ kind: 'panel', action, row })
  }
  const patch = (row: Row) => async (changes: Record<string, unknown>) => {
    if (!deeds.update) return
    try {
      // Updates replace the whole row, as in the form.
      await api(deeds.update, { ...(await loadRow(row, deeds.fresh)), ...changes })
      await revalidate()
    } catch (error) {
      failed('保存', error)
    }
  }

  const { create, workshop } = deeds
  const current =
    open ??
    (create && params.has('new')
      ? { kind: 'create' as const, endpoint: create, given: { ...resource.given, ...prefilled(resource, params) } }
      : undefined)
  const chosenRows = listing.rows.filter(({ id }) => chosen.includes(id))
  const Rows = wide ? ResourceTable : ResourceCards
  return (
    <section className="wa-sheet">
      <Flex wrap gap={12} justify="space-between" className="wa-toolbar">
        <FilterBar resource={resource} query={listing.query} onChange={change} />
        <Flex gap={8}>
          {deeds.general.map((action) => (
            <Button key={action.label} danger={action.danger} onClick={() => confirm(action, [])}>
              {action.label}
            </Button>
          ))}
          {workshop && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(workshop)}>
              新增{resource.title}
            </Button>
          )}
          {create && (
            <Button
              type="primary"
              icon={<PlusOutlined />}
              onClick={() => setParams((before) => changed(before, { new: ['1'] }))}
            >
              新增{resource.title}
            </Button>
          )}
          <Tooltip title="刷新">
            <Button icon={<ReloadOutlined spin={rereading === 'loading'} />} aria-label="刷新" onClick={reread} />
          </Tooltip>
          {wide && <ColumnChoice columns={resource.columns} shown={shown} onChange={choose} />}
        </Flex>
      </Flex>
      {resource.hint && <Typography.Paragraph type="secondary">{resource.hint}</Typography.Paragraph>}
      <SelectionBar
        rows={chosenRows}
        actions={deeds.bulk}
        onAct={(action) => act(action, chosenRows)}
        onClear={() => setChosen([])}
      />
      {listing.problem ? (
        <Failed reason={listing.problem} onRetry={reread} />
      ) : (
        <Rows
          listing={{ ...listing, rows }}
          ordering={deeds.sortable ? ordering : undefined}
          tree={resource.tree}
          columns={resource.columns.filter(({ key }) => shown.includes(key))}
          loading={navigation.state === 'loading' && navigation.location.pathname === pathname}
          empty={
            <Nothing
              title={resource.title}
              told={resource.nothing}
              creatable={create !== undefined || workshop !== undefined}
              filtered={listing.query.wd !== '' || Object.keys(listing.query.filters).length > 0}
            />
          }
          tools={(row) => ({ patch: deeds.update && patch(row) })}
          selection={deeds.bulk.length > 0 ? { chosen, onChoose: setChosen } : undefined}
          onOrder={(order) => change({ order: order ? [order] : [] })}
          onPage={(page, size) => {
            writePreferences(pathname, { size })
            change({ page: size === listing.query.size ? [String(page)] : [], size: [String(size)] })
          }}
          renderActions={
            deeds.editable || deeds.row.length > 0
              ? (row) => (
                  <RowActions
                    row={row}
                    actions={deeds.row}
                    onEdit={editor(row)}
                    editing={resource.editing}
                    onAct={(action) => act(action, [row])}
                  />
                )
              : undefined
          }
        />
      )}
      {ordering && (
        <output aria-live="assertive" className="wa-unseen">
          {ordering.said}
        </output>
      )}
      {current && (
        <Opened resource={resource} open={current} onClose={() => void close()} onDone={() => void finish()} />
      )}
    </section>
  )

  function editor(row: Row) {
    const { update, editable, fresh } = deeds
    return editable && update ? () => setOpen({ kind: 'update', endpoint: update, row, fresh }) : undefined
  }
}

interface NothingProps {
  title: string
  told?: string
  creatable: boolean
  filtered: boolean
}

function Nothing({ title, told, creatable, filtered }: NothingProps) {
  const advice = creatable ? `，可以用“新增${title}”添加` : ''
  const words = filtered ? `没有符合条件的${title}，请调整筛选条件` : (told ?? `还没有${title}${advice}`)
  return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={words} />
}

/** Filters in the address are a good first guess for a new row: 处罚 of the user one came from. */
function prefilled(resource: Resource, params: URLSearchParams): Record<string, unknown> {
  const shape = resource.api.create?.input.shape ?? {}
  const query = queryToObject(params)
  const entries = resource.form.create.map(({ key }) => {
    const schema = shape[key]
    return [key, schema && query[key] ? decode(schema, query[key]) : undefined]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function changed(before: URLSearchParams, changes: Record<string, string[]>): URLSearchParams {
  const next = new URLSearchParams(before)
  for (const [key, values] of Object.entries(changes)) {
    next.delete(key)
    for (const value of values) next.append(key, value)
  }
  return next
}
