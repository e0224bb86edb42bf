import { rm } from 'node:fs/promises'
import { getExt } from '#shared/document-kinds.ts'
import { AttachmentType } from '#shared/enums.ts'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { validateContent, validateFileName, validateSize } from './attachments.policy.ts'
import { addAttachment, assertNotBanned, explainDiskFull, type LocalFile, storeContent } from './attachments.store.ts'
import { cleanFileName } from './file-names.ts'

interface CrawledFile extends LocalFile {
  /** As the other site calls it: untrusted. */
  name: string
  ownerId: number
}

interface StoredCrawledFile {
  attachmentId: number
  name: string
  ext: string
}

/** Stores a fetched file after the checks of every upload, but with the extension that its content has. */
export async function storeCrawledFile(ctx: Ctx, { ownerId, ...file }: CrawledFile): Promise<StoredCrawledFile> {
  validateSize(ctx, file.size)
  await assertNotBanned(ctx, file.hash)
  const named = await findName(ctx, file)
  await explainDiskFull(storeContent(ctx, file))
  await rm(file.path, { force: true })
  const { hash, size } = file
  const type = AttachmentType.CrawledDocument
  const attachmentId = await addAttachment(ctx, { hash, size, ...named, type, userId: ownerId, ip: '' })
  return { attachmentId, ...named }
}

/** The file's own name if it fits the content, else one with the extension that does. */
async function findName(ctx: Ctx, file: CrawledName): Promise<{ name: string; ext: string }> {
  try {
    const named = validateFileName(ctx, file.name)
    await validateContent(ctx, { ...file, ext: named.ext })
    return named
  } catch (error) {
    if (!(error instanceof AppError) || !solvedByExt.has(error.reason)) throw error
    const name = cleanFileName(file.name)
    const ext = await ctx.converter.detectExt({ path: file.path, mayBeText: getExt(name) === '' })
    if (!ext) throw error
    return validateFileName(ctx, `${withoutExt(name) || '文件'}${ext}`)
  }
}

type CrawledName = Pick<CrawledFile, 'path' | 'size' | 'name'>

/** What another extension mends. */
const solvedByExt: ReadonlySet<string> = new Set(['uploads.nameNeeded', 'uploads.extDenied', 'uploads.mismatch'])

/** `download.php` is called by the program that sent it, but the end of `GB 7718.1` is part of its name. */
function withoutExt(name: string): string {
  return name.replace(/\.[a-z]{2,}\d?$/i, '')
}
