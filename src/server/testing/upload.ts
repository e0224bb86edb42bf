import { createHash } from 'node:crypto'
import type { Person, Site } from './site.ts'

export interface UploadResponse {
  status: number
  id: number
  reason: string
  message: string
}

/** Uploads a file as multipart form data. */
export async function uploadForm(
  site: Site,
  person: Pick<Person, 'token'>,
  file: { name: string; bytes: Uint8Array<ArrayBuffer>; to?: string },
): Promise<UploadResponse> {
  const form = new FormData()
  form.append('file', new File([file.bytes], file.name))
  const headers = { authorization: `Bearer ${person.token}` }
  const path = `/api/v1/upload/${file.to ?? 'document'}`
  const response = await site.request(path, { method: 'POST', headers, body: form })
  const json = (await response.json()) as { data?: { id?: number }; reason?: string; message?: string }
  return { status: response.status, id: json.data?.id ?? 0, reason: json.reason ?? '', message: json.message ?? '' }
}

/** A small PDF whose content depends on `words`. */
export function tinyPdf(words: string): Uint8Array<ArrayBuffer> {
  const head = '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n'
  const page = '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\n'
  return new Uint8Array(Buffer.from(`${head}${page}% ${words}\ntrailer<</Root 1 0 R>>\n%%EOF\n`))
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
