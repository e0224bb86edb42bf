import type { Person, Site } from './site.ts'

export interface TusResponse {
  status: number
  offset: number
  location: string
  reason: string
  headers: Headers
}

export type TusRequest = (
  method: 'POST' | 'PATCH' | 'HEAD' | 'DELETE',
  path: string,
  headers?: Record<string, string>,
  body?: BodyInit,
) => Promise<TusResponse>

/** Raw tus requests, for what a well-behaved client would never send. */
export function createTusClient(site: Pick<Site, 'request'>, { token }: Pick<Person, 'token'>): TusRequest {
  return async (method, path, headers = {}, body) => {
    const response = await site.request(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
      body,
      duplex: 'half',
    } as RequestInit)
    const text = await response.text()
    return {
      status: response.status,
      offset: Number(response.headers.get('upload-offset') ?? -1),
      location: response.headers.get('location') ?? '',
      reason: text.startsWith('{') ? ((JSON.parse(text) as { reason?: string }).reason ?? '') : '',
      headers: response.headers,
    }
  }
}

export function tusMetadata(about: Record<string, string>): string {
  return Object.entries(about)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

export function createUpload(
  ask: TusRequest,
  { name, size, hash = '' }: { name: string; size: number; hash?: string },
): Promise<TusResponse> {
  const metadata = tusMetadata({ filename: name, ...(hash && { sha256: hash }) })
  return ask('POST', '/api/v1/upload/tus', { 'upload-length': String(size), 'upload-metadata': metadata })
}

export function patchUpload(ask: TusRequest, path: string, offset: number, body: BodyInit): Promise<TusResponse> {
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
  return ask('PATCH', path, headers, body)
}
