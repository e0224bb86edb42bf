import type { FileReply } from '#shared/fields.ts'

/** Lets the browser save a file. */
export function saveFile({ name, body }: FileReply): void {
  if (!(body instanceof Blob)) return
  const url = URL.createObjectURL(body)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
