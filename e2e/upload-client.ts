import { DocumentStatus } from '#shared/document-status.ts'
import { downloads } from '#shared/contract/downloads.ts'
import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Call, client } from '#shared/client.ts'
import { documents, type Progress } from '#shared/contract/documents.ts'

/** An API client that uploads files to a running site and follows their conversion. */
export interface UploadClient {
  call: Call
  token: string
  /** The attachment's id, or the message of the refusal. */
  upload(name: string, bytes: Uint8Array): Promise<{ id: number; refusal: string }>
  /** Publishes uploaded files. */
  create(attachments: readonly number[]): Promise<PublishedDocument[]>
  /** Uploads and publishes; fails when a file is refused. */
  publish(...files: [name: string, bytes: Uint8Array][]): Promise<PublishedDocument[]>
  /** Waits until each document is converted with its text, or has failed. */
  waitUntilFinished(ids: readonly number[], timeoutMs?: number): Promise<Progress[]>
  /** The file as a browser would get it. */
  download(id: number): Promise<{ name: string; sha256: string }>
}

export interface PublishedDocument {
  id: number
  uuid: string
}

/** For sites without a login captcha. */
export async function createUploadClient(
  url: string,
  person: { username: string; password: string },
): Promise<UploadClient> {
  const token = await logIn(url, person)
  const call = client({ fetch, origin: url, token: () => token })

  const upload: UploadClient['upload'] = async (name, bytes) => {
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(bytes)], name))
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/api/v1/upload/document`, { method: 'POST', headers, body: form })
    const json = (await response.json()) as { data?: { id: number }; message: string }
    return response.ok ? { id: json.data?.id ?? 0, refusal: '' } : { id: 0, refusal: json.message }
  }

  const create: UploadClient['create'] = async (attachments) => {
    const { document } = await call(documents.create, {
      category_id: [],
      document: attachments.map((attachment_id) => ({ attachment_id })),
    })
    return attachments.flatMap((id) => document.filter(({ attachment_id }) => attachment_id === id))
  }

  const publish: UploadClient['publish'] = async (...files) => {
    const ids: number[] = []
    for (const [name, bytes] of files) {
      const { id, refusal } = await upload(name, bytes)
      if (refusal) throw new Error(`${name}: ${refusal}`)
      ids.push(id)
    }
    return create(ids)
  }

  const settled: UploadClient['waitUntilFinished'] = async (ids, timeoutMs = 60_000) => {
    const end = Date.now() + timeoutMs
    for (;;) {
      const { document } = await call(documents.progress, { id: [...ids] })
      const unfinished = document.filter((progress) => !isFinished(progress))
      if (unfinished.length === 0 && document.length === ids.length) return document
      if (Date.now() > end) throw new Error(`still under way: ${JSON.stringify(unfinished)}`)
      await setTimeout(200)
    }
  }

  const download: UploadClient['download'] = async (id) => {
    const { url: link } = await call(downloads.download, { id })
    const response = await fetch(new URL(link, url))
    if (!response.ok) throw new Error(`download of ${id}: ${response.status} ${await response.text()}`)
    const coded = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? ''
    return { name: decodeURIComponent(coded), sha256: sha256(new Uint8Array(await response.arrayBuffer())) }
  }

  return { call, token, upload, create, publish, waitUntilFinished: settled, download }
}

/** Conversion and text extraction have ended. */
export function isFinished({ status, pages, read }: Progress): boolean {
  return status === DocumentStatus.Failed || (status === DocumentStatus.Converted && read >= pages)
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function logIn(url: string, person: { username: string; password: string }): Promise<string> {
  const response = await fetch(`${url}/api/v1/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  if (!response.ok) throw new Error(`login: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { token: string }).token
}
