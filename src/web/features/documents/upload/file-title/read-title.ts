import { readPdfTitle } from '#web/features/documents/upload/file-title/pdf-title.ts'
import { xmlText } from '#web/features/documents/upload/file-title/read-part.ts'
import { sensibleTitle } from '#web/features/documents/upload/file-title/sensible-title.ts'
import { readZipText } from '#web/features/documents/upload/file-title/zip-entry.ts'

/** The title that a file carries in its own metadata; empty if it has none worth showing, or cannot be read. */
export async function readTitle(file: Blob, ext: string): Promise<string> {
  try {
    return sensibleTitle((await readers[ext]?.(file)) ?? '')
  } catch {
    return ''
  }
}

const readers: Record<string, (file: Blob) => Promise<string>> = {
  '.pdf': readPdfTitle,
  '.epub': readEpubTitle,
  '.docx': readOfficeTitle,
  '.xlsx': readOfficeTitle,
  '.pptx': readOfficeTitle,
  '.ppsx': readOfficeTitle,
  '.odt': readOpenDocumentTitle,
  '.ods': readOpenDocumentTitle,
  '.odp': readOpenDocumentTitle,
}

async function readOfficeTitle(file: Blob): Promise<string> {
  return xmlText(await readZipText(file, 'docProps/core.xml'), 'dc:title')
}

async function readOpenDocumentTitle(file: Blob): Promise<string> {
  return xmlText(await readZipText(file, 'meta.xml'), 'dc:title')
}

async function readEpubTitle(file: Blob): Promise<string> {
  const container = await readZipText(file, 'META-INF/container.xml')
  const path = /<rootfile\b[^>]*\bfull-path="([^"]+)"/.exec(container)?.[1]
  return path ? xmlText(await readZipText(file, path), 'dc:title') : ''
}
