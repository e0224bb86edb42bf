import type { ComponentType, ReactElement, ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { CallInput, Endpoint, Reply } from '#shared/endpoint.ts'
import type { file } from '#shared/fields.ts'
import type { PermissionPath } from '#shared/permissions.ts'

/**
 * An admin screen as a description. Keys and value types are checked against the contract:
 * columns against a row of the list, filters against the list's input, fields against the input they fill.
 */
export function resource<A extends Api>(description: Description<A>): Resource {
  // The one place where the description's types are given up: the engine shows rows of any shape.
  const untyped = description as unknown as UntypedDescription
  const {
    columns,
    filters = [],
    form,
    actions = [],
    toolbar = [],
    tree = false,
    defaults = {},
    listParams = {},
    ordering,
    ...rest
  } = untyped
  const { create = [], update = [] } = form && 'length' in form ? { create: form, update: form } : (form ?? {})
  const fields = new Map([...create, ...update].map((field) => [field.key, field]))
  return {
    ...rest,
    actions,
    toolbar,
    tree,
    defaults,
    listParams,
    ordering: ordering && { within: [], ...ordering },
    form: { create, update },
    columns: columns.map((column) =>
      completeColumn(typeof column === 'string' ? { key: column } : column, fields, rest.api),
    ),
    searchable: filters.includes('wd'),
    filters: filters.filter((filter) => filter !== 'wd').map((filter) => resolveFilter(filter, fields)),
  }
}

export interface Api {
  list: Endpoint
  get?: Endpoint
  create?: Endpoint
  /** Replaces the whole row. */
  update?: Endpoint
  /** Changes only the fields that are given. */
  patch?: Endpoint
  delete?: Endpoint
}

export type FileEndpoint = Endpoint<z.ZodMiniObject, typeof file>

/** Permissions that the screen needs beside an endpoint's own, where the endpoint serves members too. */
type RequiredPermissions = Partial<Record<'get' | 'update' | 'delete', PermissionPath>>

/** A separate page for creating rows, where a form in a drawer would not do. */
interface CreatePage {
  page: string
  requires: PermissionPath
}

export interface Description<A extends Api> {
  /** What one row is called: 用户组, 友情链接. */
  title: string
  api: A
  columns: readonly ColumnOf<RowOf<A>>[]
  /** `wd` is the search box; a plain key stands for the form's field of that name. */
  filters?: readonly FilterOf<CallInput<A['list']>>[]
  /** One list of fields when creating and editing use the same. */
  form?: SharedForm<A> | SplitForm<A>
  actions?: readonly Action<RowOf<A>>[]
  requires?: RequiredPermissions
  createPage?: CreatePage
  /** Shows what a new row's reply alone contains. */
  created?: ComponentType<CreatedProps<EndpointInput<A['create']>, EndpointReply<A['create']>>>
  /** The label of the edit action; 编辑 by default. */
  editLabel?: string
  /** The form field at which an error of the server is shown, by the error's reason. */
  errorFields?: Record<string, EndpointInputKey<A['create']> | EndpointInputKey<A['update']>>
  /** Which rows can be edited; all by default. */
  isEditable?: (row: RowOf<A>) => boolean
  /** Why a row cannot be deleted; undefined when it can. */
  undeletable?: (row: RowOf<A>) => string | undefined
  /** Shown before rows are deleted; by default that they cannot be restored. */
  deleteWarning?: string
  /** What a row is called in dialogs; by default its title, name or number. */
  rowName?: (row: RowOf<A>) => string
  /** A line under the page's title. */
  hint?: string
  /** Above the rows: what the list's reply says about all that is filtered. */
  summary?: ComponentType<SummaryProps<Reply<A['list']>>>
  /** Shown where the list has no rows at all; 还没有… by default. */
  emptyText?: string
  /** Actions on all rows at once, beside the button for a new row. */
  toolbar?: readonly CallAction<never>[]
  /** Replies with a file of all rows; takes the filters of the list. */
  export?: FileEndpoint
  /** Rows name their parent by `parent_id`: the list is shown whole, as a tree. */
  tree?: boolean
  /** Rows can be reordered by hand. */
  ordering?: {
    /** Takes the ids of rows in their new order. */
    endpoint: Endpoint
    /** Only rows with equal values of these keys are ordered among themselves. */
    within?: readonly (keyof RowOf<A> & string)[]
    /** The `order` of the list call that gives this order, where it is not the list's default. */
    order?: string
  }
  /** A form with many fields may have more room than the usual drawer. */
  formWidth?: number
  /** Beside the form's buttons: something that can be done with the values before they are saved. */
  formTool?: ComponentType<FormToolProps<EndpointInput<A['create']>>>
  /** The list is loaded again every few seconds while this holds, as something in it goes on by itself. */
  isChanging?: (reply: Reply<A['list']>) => boolean
  /** Initial values of the form for a new row. */
  defaults?: Partial<EndpointInput<A['create']>>
  /** Parameters of every list call, beside the filters. */
  listParams?: Partial<CallInput<A['list']>>
}

/** A column without a builder shows its value as text. */
export interface Column<K extends string, V, R> {
  key: K
  label?: string | ReactElement
  width?: number
  align?: 'left' | 'center' | 'right'
  /** The list can be ordered by it. */
  sort?: boolean
  /** Shown only after the user has chosen it in the column picker. */
  hiddenByDefault?: boolean
  /** Its cells change the value at once; the API's `patch` has to take the column's key. */
  patches?: boolean
  render?: (value: V, row: R, tools: RowTools) => ReactNode
  /** Its text in an exported table; by default that of the value. */
  text?: (value: V, row: R) => string | Promise<string>
}

export interface RowTools {
  /** Changes some fields of this row; undefined when the user may not. */
  patch?: (changes: Record<string, unknown>) => Promise<void>
}

export interface Field<K extends string = string, V = unknown> {
  key: K
  label: string
  /** The value in a new row; without it the control starts with nothing chosen. */
  empty?: V
  control: ReactElement<ControlProps>
  /** The control as a filter, where the field can be one. */
  filter?: 'text' | ReactElement<ControlProps>
  wideFilter?: boolean
  help?: string
  /** Must be filled in, even where the endpoint would take it empty. */
  required?: boolean
  /** Half as wide as the form. */
  half?: boolean
  /** Whether it matters with the other values of the form and the row; always by default. */
  isShown?: (values: Record<string, unknown>) => boolean
  /** The part of a long form to which it belongs. */
  section?: FormSection
}

/** Fields of a long form under a heading. */
export interface FormSection {
  title: string
  hint?: string
  /** Closed until the user opens it, as its fields may stay as they are. */
  isFolded?: boolean
}

/** The props that the form and the filter bar give to a control. */
export interface ControlProps {
  value?: unknown
  onChange?: (value: unknown) => void
  className?: string
  'aria-label'?: string
}

interface BaseAction<R> {
  label: string
  danger?: boolean
  /** Why the action cannot be taken on a row, which then does not offer it. Undefined: it can. */
  disabledReason?: (row: R) => string | undefined
}

/** Calls an endpoint with the row's id (or all selected ids), after a confirmation or a small form. */
export interface CallAction<R> extends BaseAction<R> {
  kind: 'call'
  endpoint: Endpoint
  /** Also offered for all selected rows. */
  bulk: boolean
  /** Filled in by the user before the call. */
  fields: readonly Field[]
  /** Its fields start empty, where the row has other values of the same names. */
  startsEmpty?: boolean
  /** Explains the consequences in the confirmation. */
  confirm?: string
  /** Fixed values of the endpoint's input. */
  input: Record<string, unknown>
  /** Values of the input that tell of the rows, beside their ids. */
  rowsInput?: (rows: readonly R[]) => Record<string, unknown>
  /** …成功 by default. */
  successMessage?: string | ((reply: unknown) => string)
  onSuccess?: (reply: unknown) => void
}

/** Opens a drawer of its own. */
export interface PanelAction<R> extends BaseAction<R> {
  kind: 'panel'
  endpoint: Endpoint
  panel: ComponentType<PanelProps<R>>
  /** A permission beside those of the endpoint. */
  requires?: PermissionPath
}

export interface LinkAction<R> extends BaseAction<R> {
  kind: 'link'
  to: (row: R) => string
  /** The admin page it leads to: the link is shown to users who may open that page. */
  page: string
  /** A permission for what the link says, beside the page's own. */
  requires?: PermissionPath
}

export type Action<R> = CallAction<R> | PanelAction<R> | LinkAction<R>

export interface PanelProps<R> {
  row: R
  onClose: () => void
  /** Closes the panel and reloads the list. */
  onDone: () => void
}

export interface SummaryProps<T> {
  reply: T
  /** The values of the filters. */
  filters: Record<string, unknown>
}

export interface FormToolProps<V> {
  /** The values as they would be saved; undefined when some are wrong, which the form then says beside them. */
  read: () => Promise<V | undefined>
  /** Shows an error of the server beside the fields that it names; false when it names none. */
  showErrors: (error: unknown) => boolean
}

export interface CreatedProps<V, R> {
  /** What was sent. */
  values: V
  reply: R
  onClose: () => void
}

export type RowOf<A extends Api> = Extract<Reply<A['list']>[keyof Reply<A['list']>], readonly unknown[]>[number]
export type ColumnOf<R> = { [K in keyof R & string]: K | Column<K, R[K], R> }[keyof R & string]
export type FieldOf<T> = { [K in keyof T & string]-?: Field<K, T[K]> }[keyof T & string]

type Paging = 'page' | 'size' | 'order' | 'field' | 'wd'
type FilterOf<T> = 'wd' | Exclude<keyof T & string, Paging> | FieldOf<SingleOrMany<Omit<T, Paging>>>
type SingleOrMany<T> = { [K in keyof T]: T[K] | (NonNullable<T[K]> extends readonly (infer I)[] ? I : never) }

type EndpointInput<E> = E extends Endpoint ? CallInput<E> : never
type EndpointReply<E> = E extends Endpoint ? Reply<E> : never
type EndpointInputKey<E> = keyof EndpointInput<E> & string
type SharedForm<A extends Api> = readonly FieldOf<Omit<EndpointInput<A['create']> & EndpointInput<A['update']>, 'id'>>[]
interface SplitForm<A extends Api> {
  create?: readonly FieldOf<EndpointInput<A['create']>>[]
  update?: readonly FieldOf<EndpointInput<A['update']>>[]
}

/** A row as the engine sees it. */
export interface Row {
  id: number
  [key: string]: unknown
}

export interface AnyColumn extends Column<string, unknown, Row> {
  label: string | ReactElement
}
export type AnyAction = Action<Row>

/** A description after its types were checked. */
export interface Resource {
  title: string
  api: Api
  columns: AnyColumn[]
  searchable: boolean
  filters: Field[]
  form: { create: readonly Field[]; update: readonly Field[] }
  actions: readonly AnyAction[]
  requires?: RequiredPermissions
  createPage?: CreatePage
  created?: ComponentType<CreatedProps<unknown, unknown>>
  editLabel?: string
  errorFields?: Record<string, string>
  isEditable?: (row: Row) => boolean
  undeletable?: (row: Row) => string | undefined
  rowName?: (row: Row) => string
  hint?: string
  summary?: ComponentType<SummaryProps<unknown>>
  emptyText?: string
  deleteWarning?: string
  formWidth?: number
  formTool?: ComponentType<FormToolProps<unknown>>
  isChanging?: (reply: unknown) => boolean
  toolbar: readonly CallAction<never>[]
  export?: FileEndpoint
  tree: boolean
  ordering?: OrderingRules
  defaults: Record<string, unknown>
  listParams: Record<string, unknown>
}

interface OrderingRules {
  endpoint: Endpoint
  within: readonly string[]
  order?: string
}

type UntypedColumn = Column<string, unknown, Row>
type Completed = 'columns' | 'searchable' | 'filters' | 'form' | 'ordering'
interface UntypedDescription extends Partial<Omit<Resource, Completed | 'title' | 'api'>> {
  title: string
  api: Api
  columns: readonly (string | UntypedColumn)[]
  filters?: readonly (string | Field)[]
  form?: readonly Field[] | { create?: readonly Field[]; update?: readonly Field[] }
  ordering?: Pick<OrderingRules, 'endpoint' | 'order'> & Partial<OrderingRules>
}

const defaultLabels: Record<string, string> = {
  id: '编号',
  title: '标题',
  sort: '排序',
  enable: '启用',
  created_at: '创建时间',
  updated_at: '更新时间',
}

function completeColumn(column: UntypedColumn, fields: Map<string, Field>, api: Api): AnyColumn {
  const label = column.label ?? fields.get(column.key)?.label ?? defaultLabels[column.key]
  if (!label) throw new Error(`column ${column.key} has no label: no form field names it`)
  if (column.patches && !api.patch?.input.shape[column.key]) throw new Error(`nothing patches column ${column.key}`)
  return { ...column, label }
}

function resolveFilter(filter: string | Field, fields: Map<string, Field>): Field {
  const field = typeof filter === 'string' ? fields.get(filter) : filter
  if (!field?.filter) throw new Error(`filter ${typeof filter === 'string' ? filter : filter.key} has no control`)
  return field
}
