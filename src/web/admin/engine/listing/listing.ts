import { redirect } from 'react-router'
import * as z from 'zod/mini'
import { decode, queryToObject } from '#shared/wire.ts'
import { loadedPageSize } from '#web/admin/engine/listing/all-rows.ts'
import { preferredPageSize } from '#web/admin/engine/preferences.ts'
import type { Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

/** The query string of a screen, which is that of its list call. */
export interface ListQuery {
  page: number
  size: number
  order: string
  wd: string
  filters: Record<string, unknown>
}

export interface Listing {
  query: ListQuery
  rows: Row[]
  total: number
  /** The reply of the list, for what a screen shows of it beside the rows. */
  reply?: unknown
  error?: unknown
}

export async function loadListing(resource: Resource, url: URL): Promise<Listing> {
  const query = readQuery(resource, url)
  try {
    const { rows, total, reply } = await loadPage(resource, query)
    const lastPage = Math.max(1, Math.ceil(total / query.size))
    if (rows.length === 0 && query.page > lastPage && !resource.tree) throw redirect(withPage(url, lastPage))
    return { query, rows, total, reply }
  } catch (error) {
    if (error instanceof Response) throw error
    return { query, rows: [], total: 0, error }
  }
}

/** Loads the pages of a list by their number, as large as may be. */
export function pageLoader(resource: Resource, query: ListQuery) {
  return (page: number) => loadPage(resource, { ...query, page, size: loadedPageSize })
}

async function loadPage(
  resource: Resource,
  { filters, ...paging }: ListQuery,
): Promise<{ rows: Row[]; total: number; reply: unknown }> {
  const unpaged = resource.tree ? { page: 0, size: 0 } : {}
  const order = paging.order || resource.ordering?.order || ''
  return readPage(await api(resource.api.list, { ...resource.listParams, ...filters, ...paging, order, ...unpaged }))
}

function readQuery(resource: Resource, url: URL): ListQuery {
  const { input } = resource.api.list
  const params = queryToObject(url.searchParams)
  const filters: Record<string, unknown> = {}
  for (const { key } of resource.filters) {
    const schema = input.shape[key]
    if (!schema || !params[key]) continue
    const parsed = z.safeParse(schema, decode(schema, params[key]))
    if (parsed.success) filters[key] = parsed.data
  }
  const [page, size] = ['page', 'size'].map((key) => Number(url.searchParams.get(key)))
  return {
    page: page && page > 0 ? Math.floor(page) : 1,
    size: size && size > 0 && size <= 1000 ? Math.floor(size) : preferredPageSize(url.pathname),
    order: url.searchParams.get('order') ?? '',
    wd: url.searchParams.get('wd') ?? '',
    filters,
  }
}

/** A list's reply has a total and one array, under a key of its own. */
function readPage(reply: unknown): { rows: Row[]; total: number; reply: unknown } {
  const entries = typeof reply === 'object' && reply !== null ? Object.entries(reply) : []
  const rows = entries.map(([, value]: [string, unknown]) => value).find((value) => Array.isArray(value)) ?? []
  const total = Number(entries.find(([key]) => key === 'total')?.[1] ?? rows.length)
  return { rows: rows.filter(isRow), total, reply }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

function withPage(url: URL, page: number): string {
  const next = new URLSearchParams(url.searchParams)
  next.set('page', String(page))
  return `${url.pathname}?${next.toString()}`
}
