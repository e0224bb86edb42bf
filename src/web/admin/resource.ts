import type { ComponentType, ReactElement, ReactNode } from 'react'
import type { Ask, Endpoint, Reply } from '#shared/endpoint.ts'
import type { PermissionPath } from '#shared/permissions.ts'

/**
 * An admin screen as a description. Keys and value types are held against the contract:
 * columns against a row of the list, filters against the list's input, fields against the input they fill.
 */
export function resource<A extends Api>(description: Description<A>): Resource {
  // The one place where the description's types are given up: the engine shows rows of any shape.
  const loose = description as unknown as Loose
  const {
    columns,
    filters = [],
    form,
    actions = [],
    general = [],
    tree = false,
    given = {},
    asks = {},
    sorting,
    ...rest
  } = loose
  const { create = [], update = [] } = form && 'length' in form ? { create: form, update: form } : (form ?? {})
  const known = new Map([...create, ...update].map((field) => [field.key, field]))
  return {
    ...rest,
    actions,
    general,
    tree,
    given,
    asks,
    sorting: sorting && { within: [], ...sorting },
    form: { create, update },
    columns: columns.map((column) => completed(typeof column === 'string' ? { key: column } : column, known)),
    searchable: filters.includes('wd'),
    filters: filters.filter((filter) => filter !== 'wd').map((filter) => fieldOf(filter, known)),
  }
}

export interface Api {
  list: Endpoint
  get?: Endpoint
  create?: Endpoint
  update?: Endpoint
  delete?: Endpoint
}

/** Where an endpoint serves members too, the permission that the screen's use of it needs. */
type Needs = Partial<Record<'get' | 'update' | 'delete', PermissionPath>>

/** A page of its own on which new rows are made, where a form in a drawer would not do. */
interface Workshop {
  page: string
  needs: PermissionPath
}

export interface Description<A extends Api> {
  /** What one row is called: 用户组, 友情链接. */
  title: string
  api: A
  columns: readonly ColumnOf<RowOf<A>>[]
  /** `wd` is the search box; a plain key stands for the form's field of that name. */
  filters?: readonly FilterOf<Ask<A['list']>>[]
  /** One list of fields when creating and changing ask for the same. */
  form?: SharedForm<A> | SplitForm<A>
  actions?: readonly Action<RowOf<A>>[]
  needs?: Needs
  workshop?: Workshop
  /** What changing a row is called; 编辑 unless told. */
  editing?: string
  /** Fields that the server's refusals are about, by the reason it gives. */
  blame?: Record<string, KeyFor<A['create']> | KeyFor<A['update']>>
  /** Why a row cannot be deleted; undefined when it can. */
  kept?: (row: RowOf<A>) => string | undefined
  /** What is said before rows are deleted; that they cannot be brought back, unless told. */
  deletion?: string
  /** What a row is called in questions; its title, name or number unless told. */
  nameOf?: (row: RowOf<A>) => string
  /** A line under the page's title. */
  hint?: string
  /** What is said where there is no row at all; 还没有… unless told. */
  nothing?: string
  /** What is done to all rows at once, beside the button for a new one. */
  general?: readonly CallAction<never>[]
  /** Rows name their parent by `parent_id`: the list is shown whole, as a tree. */
  tree?: boolean
  /** Rows can be put into another order by hand. */
  sorting?: {
    /** Takes the ids of rows in their new order. */
    by: Endpoint
    /** Rows alike in these are ordered among themselves. */
    within?: readonly (keyof RowOf<A> & string)[]
    /** How the list has to be asked for so that it comes in this order, where that is not its own. */
    list?: string
  }
  /** The form for a new row is filled with these. */
  given?: Partial<AskFor<A['create']>>
  /** What every list call asks for, whatever the filters say. */
  asks?: Partial<Ask<A['list']>>
}

/** A column without a builder shows its value as text. */
export interface Column<K extends string, V, R> {
  key: K
  label?: string
  width?: number
  align?: 'left' | 'center' | 'right'
  /** The list can be ordered by it. */
  sort?: boolean
  /** Hidden until the user asks for it. */
  extra?: boolean
  show?: (value: V, row: R, tools: RowTools) => ReactNode
}

export interface RowTools {
  /** Changes some keys of this row; undefined when the user may not. */
  patch?: (changes: Record<string, unknown>) => Promise<void>
}

export interface Field<K extends string = string, V = unknown> {
  key: K
  label: string
  /** Value when creating; without one the control starts with nothing chosen. */
  empty?: V
  control: ReactElement<ControlProps>
  /** The control as a filter, where the field can be one. */
  filter?: 'text' | ReactElement<ControlProps>
  help?: string
  /** Must be filled in, even where the endpoint would take it empty. */
  required?: boolean
  /** Shares its line with the next field. */
  half?: boolean
}

/** What the form and the filter bar hand to a control. */
export interface ControlProps {
  value?: unknown
  onChange?: (value: unknown) => void
  className?: string
  'aria-label'?: string
}

interface ActionTraits<R> {
  label: string
  danger?: boolean
  /** Undefined: always possible. A sentence: shown disabled, with the sentence as the reason. */
  blocked?: (row: R) => string | undefined
}

/** Calls an endpoint with the row's id (or all chosen ids), after a question or a small form. */
export interface CallAction<R> extends ActionTraits<R> {
  kind: 'call'
  endpoint: Endpoint
  bulk: boolean
  ask: readonly Field[]
  question?: string
  /** What the endpoint is told besides. */
  given: Record<string, unknown>
  /** What is said once it has succeeded; …成功 unless told. */
  done?: string
  /** With the reply, once it has succeeded. */
  after?: (reply: unknown) => void
}

/** Opens a drawer of its own. */
export interface PanelAction<R> extends ActionTraits<R> {
  kind: 'panel'
  endpoint: Endpoint
  panel: ComponentType<PanelProps<R>>
}

export interface LinkAction<R> extends ActionTraits<R> {
  kind: 'link'
  to: (row: R) => string
  /** The page behind it, so that the link shows only to those who may open it. */
  page: string
  /** What one must hold besides, to do there what the link says. */
  needs?: PermissionPath
}

export type Action<R> = CallAction<R> | PanelAction<R> | LinkAction<R>

export interface PanelProps<R> {
  row: R
  onClose: () => void
  /** Closes and reads the list again. */
  onDone: () => void
}

export type RowOf<A extends Api> = Extract<Reply<A['list']>[keyof Reply<A['list']>], readonly unknown[]>[number]
export type ColumnOf<R> = { [K in keyof R & string]: K | Column<K, R[K], R> }[keyof R & string]
export type FieldOf<T> = { [K in keyof T & string]-?: Field<K, T[K]> }[keyof T & string]

type Paging = 'page' | 'size' | 'order' | 'field' | 'wd'
type FilterOf<T> = 'wd' | Exclude<keyof T & string, Paging> | FieldOf<OneOrMany<Omit<T, Paging>>>
type OneOrMany<T> = { [K in keyof T]: T[K] | (NonNullable<T[K]> extends readonly (infer I)[] ? I : never) }

type AskFor<E> = E extends Endpoint ? Ask<E> : never
type KeyFor<E> = keyof AskFor<E> & string
type SharedForm<A extends Api> = readonly FieldOf<Omit<AskFor<A['create']> & AskFor<A['update']>, 'id'>>[]
interface SplitForm<A extends Api> {
  create?: readonly FieldOf<AskFor<A['create']>>[]
  update?: readonly FieldOf<AskFor<A['update']>>[]
}

/** A row as the engine sees it. */
export interface Row {
  id: number
  [key: string]: unknown
}

export interface AnyColumn extends Column<string, unknown, Row> {
  label: string
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
  needs?: Needs
  workshop?: Workshop
  editing?: string
  blame?: Record<string, string>
  kept?: (row: Row) => string | undefined
  nameOf?: (row: Row) => string
  hint?: string
  nothing?: string
  deletion?: string
  general: readonly CallAction<never>[]
  tree: boolean
  sorting?: Sorting
  given: Record<string, unknown>
  asks: Record<string, unknown>
}

interface Sorting {
  by: Endpoint
  within: readonly string[]
  list?: string
}

type LooseColumn = Column<string, unknown, Row>
interface Loose extends Pick<
  Resource,
  'title' | 'api' | 'needs' | 'workshop' | 'editing' | 'blame' | 'kept' | 'nameOf' | 'hint' | 'nothing' | 'deletion'
> {
  columns: readonly (string | LooseColumn)[]
  filters?: readonly (string | Field)[]
  form?: readonly Field[] | { create?: readonly Field[]; update?: readonly Field[] }
  actions?: readonly AnyAction[]
  general?: readonly CallAction<never>[]
  tree?: boolean
  sorting?: Pick<Sorting, 'by' | 'list'> & Partial<Sorting>
  given?: Record<string, unknown>
  asks?: Record<string, unknown>
}

const knownLabels: Record<string, string> = {
  id: '编号',
  title: '标题',
  sort: '排序',
  enable: '启用',
  created_at: '创建时间',
  updated_at: '更新时间',
}

function completed(column: LooseColumn, known: Map<string, Field>): AnyColumn {
  const label = column.label ?? known.get(column.key)?.label ?? knownLabels[column.key]
  if (!label) throw new Error(`column ${column.key} has no label: no form field names it`)
  return { ...column, label }
}

function fieldOf(filter: string | Field, known: Map<string, Field>): Field {
  const field = typeof filter === 'string' ? known.get(filter) : filter
  if (!field?.filter) throw new Error(`filter ${typeof filter === 'string' ? filter : filter.key} has no control`)
  return field
}
