import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { Ctx } from '#server/context.ts'
import { readPictureHeader, type PictureType } from '#server/convert/formats/blocks/picture-header.ts'
import { renderSourceKey, type Rendition } from '../renditions.queries.ts'
import { readBlockSlice } from './store-blocks.ts'

const inflate = promisify(inflateRaw)
/** Of a picture as it was found when its book was read. */
const maxBytes = 8e6

export interface Picture {
  content: Uint8Array<ArrayBuffer>
  /** By its content alone. */
  type: PictureType
}

/** The picture that is a block of a page; undefined where that is none. */
export async function readPicture(
  ctx: Pick<Ctx, 'storage'>,
  rendition: Rendition,
  { page, index }: { page: number; index: number },
): Promise<Picture | undefined> {
  const slice = await readBlockSlice(ctx, rendition, page)
  const block = slice?.find((stored) => stored.page === page)?.blocks[index]
  if (block?.kind !== 'picture') return undefined
  const { at, length, isDeflated, size } = block.file
  if (length === 0 || length > maxBytes || size > maxBytes) return undefined
  const stored = await ctx.storage.read(renderSourceKey(rendition), { start: at, end: at + length - 1 })
  if (!stored) return undefined
  const packed = await buffer(stored)
  const bytes = isDeflated ? await inflate(packed, { maxOutputLength: size }).catch(() => undefined) : packed
  const header = bytes && readPictureHeader(bytes)
  return header && { content: Uint8Array.from(bytes), type: header.type }
}
