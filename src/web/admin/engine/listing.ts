import { redirect } from 'react-router'
import * as z from 'zod/mini'
import { decode, queryToObject } from '#shared/wire.ts'
import { reasonOf } from '#web/admin/engine/feedback.ts'
import { rememberedSize } from '#web/admin/engine/preferences.ts'
import type { Resource, Row } from '#web/admin/resource.ts'
import { api } from '#web/lib/api.ts'

/** What the address asks for, in the list's own words: the query of a screen is the query of its list call. */
export interface Query {
  page: number
  size: number
  order: string
  wd: string
  filters: Record<string, unknown>
}

export interface Listing {
  query: Query
  rows: Row[]
  total: number
  problem?: string
}

export async function loadListing(resource: Resource, url: URL): Promise<Listing> {
  const query = readQuery(resource, url)
  const { filters, ...paging } = query
  const whole = resource.tree ? { page: 0, size: 0 } : {}
  const order = paging.order || resource.sorting?.list || ''
  try {
    const reply = await api(resource.api.list, { ...resource.asks, ...filters, ...paging, order, ...whole })
    const { rows, total } = readPage(reply)
    const last = Math.max(1, Math.ceil(total / query.size))
    if (rows.length === 0 && query.page > last && !resource.tree) throw redirect(withPage(url, last))
    return { query, rows, total }
  } catch (error) {
    if (error instanceof Response) throw error
    return { query, rows: [], total: 0, problem: reasonOf(error) }
  }
}

function readQuery(resource: Resource, url: URL): Query {
  const { input } = resource.api.list
  const given = queryToObject(url.searchParams)
  const filters: Record<string, unknown> = {}
  for (const { key } of resource.filters) {
    const schema = input.shape[key]
    if (!schema || !given[key]) continue
    const parsed = z.safeParse(schema, decode(schema, given[key]))
    if (parsed.success) filters[key] = parsed.data
  }
  const [page, size] = ['page', 'size'].map((key) => Number(url.searchParams.get(key)))
  return {
    page: page && page > 0 ? Math.floor(page) : 1,
    size: size && size > 0 && size <= 1000 ? Math.floor(size) : rememberedSize(url.pathname),
    order: url.searchParams.get('order') ?? '',
    wd: url.searchParams.get('wd') ?? '',
    filters,
  }
}

/** A list's reply holds its total and one array, whatever the array is called. */
function readPage(reply: unknown): { rows: Row[]; total: number } {
  const entries = typeof reply === 'object' && reply !== null ? Object.entries(reply) : []
  const rows = entries.map(([, value]: [string, unknown]) => value).find((value) => Array.isArray(value)) ?? []
  const total = Number(entries.find(([key]) => key === 'total')?.[1] ?? rows.length)
  return { rows: rows.filter(isRow), total }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
}

function withPage(url: URL, page: number): string {
  const next = new URLSearchParams(url.searchParams)
  next.set('page', String(page))
  return `${url.pathname}?${next.toString()}`
}
