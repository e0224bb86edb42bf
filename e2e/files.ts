import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Call, client } from '#shared/client.ts'
import { documents, type Progress } from '#shared/contract/documents.ts'

/** How a program that knows the interface puts files on a running site and follows what becomes of them. */
export interface Sender {
  call: Call
  token: string
  /** The attachment's number, or the sentence that says why not. */
  upload(name: string, bytes: Uint8Array): Promise<{ id: number; refusal: string }>
  /** Documents of uploaded files. */
  create(attachments: readonly number[]): Promise<Published[]>
  /** One document of each file. Fails when one is refused. */
  publish(...files: [name: string, bytes: Uint8Array][]): Promise<Published[]>
  /** Waits until each of them is shown, or has failed for good, and is read to its end. */
  settled(ids: readonly number[], timeoutMs?: number): Promise<Progress[]>
  /** The file as a browser would get it. */
  download(id: number): Promise<{ name: string; sha256: string }>
}

export interface Published {
  id: number
  uuid: string
}

/** A site that asks for no captcha lets programs in by name and password. */
export async function sender(url: string, person: { username: string; password: string }): Promise<Sender> {
  const token = await logIn(url, person)
  const call = client({ fetch, origin: url, token: () => token })

  const upload: Sender['upload'] = async (name, bytes) => {
    const form = new FormData()
    form.append('file', new File([Uint8Array.from(bytes)], name))
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/api/v1/upload/document`, { method: 'POST', headers, body: form })
    const json = (await response.json()) as { data?: { id: number }; message: string }
    return response.ok ? { id: json.data?.id ?? 0, refusal: '' } : { id: 0, refusal: json.message }
  }

  const create: Sender['create'] = async (attachments) => {
    const { document } = await call(documents.create, {
      category_id: [],
      document: attachments.map((attachment_id) => ({ attachment_id })),
    })
    return attachments.flatMap((id) => document.filter(({ attachment_id }) => attachment_id === id))
  }

  const publish: Sender['publish'] = async (...files) => {
    const ids: number[] = []
    for (const [name, bytes] of files) {
      const { id, refusal } = await upload(name, bytes)
      if (refusal) throw new Error(`${name}: ${refusal}`)
      ids.push(id)
    }
    return create(ids)
  }

  const settled: Sender['settled'] = async (ids, timeoutMs = 60_000) => {
    const end = Date.now() + timeoutMs
    for (;;) {
      const { document } = await call(documents.progress, { id: [...ids] })
      const unsettled = document.filter((progress) => !isSettled(progress))
      if (unsettled.length === 0 && document.length === ids.length) return document
      if (Date.now() > end) throw new Error(`still under way: ${JSON.stringify(unsettled)}`)
      await setTimeout(200)
    }
  }

  const download: Sender['download'] = async (id) => {
    const { url: link } = await call(documents.download, { id })
    const response = await fetch(new URL(link, url))
    if (!response.ok) throw new Error(`download of ${id}: ${response.status} ${await response.text()}`)
    const coded = /filename\*=UTF-8''([^;]+)/i.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? ''
    return { name: decodeURIComponent(coded), sha256: sha256(new Uint8Array(await response.arrayBuffer())) }
  }

  return { call, token, upload, create, publish, settled, download }
}

/** Nothing will change about it any more by itself. */
export function isSettled({ status, pages, read }: Progress): boolean {
  return status === 3 || (status === 2 && read >= pages)
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
