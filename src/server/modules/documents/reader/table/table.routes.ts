import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { errors } from '#shared/errors.ts'
import { previewPages } from '#shared/preview.ts'
import type { Ctx } from '#server/context.ts'
import { readPackedRows, unpackRows } from '#server/modules/renditions/tables/table-files.ts'
import { acceptsGzip, getViewed, serve, type ViewedRendition } from '../view.routes.ts'
import type { ReadableTable } from './readable-table.ts'
import type { TableCache } from './table-cache.ts'

interface Deps {
  tables: TableCache
  /** Anonymous: access depends on the key in the address alone. */
  contextOf: () => Promise<Ctx>
}

interface ViewedTable extends ViewedRendition {
  table: ReadableTable
  visiblePages: number
}

/** What is shown depends on the preview limits, which may change. */
const revalidated = 'no-cache'

/** The cells of a spreadsheet, by view key: an index and slices of rows, with the access of its pages. */
export function tableRoutes({ tables, contextOf }: Deps): Hono {
  const view = new Hono()
  view.use('/view/table/*', async (context, next) => {
    context.header('cache-control', 'no-store')
    await next()
  })
  view.use('/view/table/*', compress())

  view.get('/view/table/:key/index.json', async (context) => {
    const ctx = await contextOf()
    const viewed = await getTable(ctx, tables, context.req.param('key'))
    const name = `table-${viewed.visiblePages}`
    return serve(ctx, context, { ...viewed, name, cacheControl: revalidated }, async () => ({
      body: new TextEncoder().encode(JSON.stringify(viewed.table.index)),
      headers: { 'content-type': 'application/json' },
    }))
  })

  view.get('/view/table/:key/:file', async (context) => {
    const [, sheetDigits, sliceDigits] = /^(\d{1,3})-(\d{1,6})\.json$/.exec(context.req.param('file')) ?? []
    if (!sheetDigits || !sliceDigits) throw errors.documents.pageMissing()
    const ctx = await contextOf()
    const viewed = await getTable(ctx, tables, context.req.param('key'))
    const { rendition, table } = viewed
    const { rowsPerSlice } = table.index
    const [id, slice] = [Number(sheetDigits), Number(sliceDigits)]
    const sheet = table.index.sheets.find((sheet) => sheet.id === id)
    const rowsLeft = (sheet?.rows ?? 0) - slice * rowsPerSlice
    if (rowsLeft <= 0) throw table.index.isPreview ? errors.documents.beyondPreview() : errors.documents.pageMissing()
    // Only a whole slice is the same for every viewer, whatever the limits.
    const isWhole = !table.index.isPreview || rowsLeft >= rowsPerSlice
    const name = `table-${id}-${slice}${isWhole ? '' : `-${rowsLeft}`}`
    const file = { ...viewed, name, ...(!isWhole && { cacheControl: revalidated }) }
    return serve(ctx, context, file, async () => {
      const { hash, revision } = rendition
      const packed = await readPackedRows(ctx, { hash, revision, offsets: table.offsets }, { sheet: id, slice })
      if (!packed) throw errors.documents.fileMissing()
      const type = { 'content-type': 'application/json', vary: 'accept-encoding' }
      if (isWhole && acceptsGzip(context)) {
        return { body: Uint8Array.from(packed), headers: { ...type, 'content-encoding': 'gzip' } }
      }
      const rows = (await unpackRows(packed)).slice(0, rowsLeft)
      return { body: new TextEncoder().encode(JSON.stringify(rows)), headers: type }
    })
  })

  return view
}

/** Nothing of a row beyond the preview is given. */
async function getTable(ctx: Ctx, tables: TableCache, viewKey: string): Promise<ViewedTable> {
  const viewed = await getViewed(ctx, viewKey)
  const { rendition, isWhole, price } = viewed
  const { pages } = rendition
  const visiblePages = isWhole ? pages : previewPages({ pages, price }, ctx.settings)
  const table = await tables.find(ctx, rendition, visiblePages)
  if (!table) throw errors.documents.pageMissing()
  return { ...viewed, table, visiblePages }
}
