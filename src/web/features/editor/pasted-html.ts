import { isMediaAddress } from '#web/features/editor/safe-address.ts'

interface Pasted {
  html: string
  /** Pictures that came inside the text. */
  files: File[]
  /** How many pictures lie where no page can reach them. */
  lost: number
}

/** HTML from elsewhere, with the pictures it carries taken out, and without what office programs leave. */
export function cleanPasted(html: string): Pasted {
  const { body } = parse(html)
  const files: File[] = []
  let lost = 0
  for (const picture of body.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? ''
    if (isMediaAddress(address)) continue
    picture.remove()
    const file = fileIn(address)
    if (file) files.push(file)
    else lost += 1
  }
  for (const blank of body.querySelectorAll(String.raw`o\:p`)) if (blank.textContent.trim() === '') blank.remove()
  for (const [from, to] of levels) {
    for (const heading of body.querySelectorAll(from)) {
      const other = heading.ownerDocument.createElement(to)
      other.append(...heading.childNodes)
      heading.replaceWith(other)
    }
  }
  return { html: body.innerHTML, files, lost }
}

/** Whether there is more than a picture in it. */
export function hasWords(html: string): boolean {
  return html !== '' && parse(html).body.textContent.trim() !== ''
}

/** The title is the first level: what is written below it begins with the second. */
const levels = [
  ['h1', 'h2'],
  ['h5, h6', 'h4'],
] as const

function parse(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html')
}

function fileIn(address: string): File | undefined {
  const [, type = '', data = ''] = /^data:(image\/[\w.+-]+);base64,([\s\S]+)$/.exec(address) ?? []
  if (!data) return undefined
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    return new File([bytes], `图片.${type.replace('image/', '')}`, { type })
  } catch {
    return undefined
  }
}
