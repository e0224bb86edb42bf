import { isMediaAddress } from '#web/features/editor/rich-text/safe-address.ts'

interface CleanedHtml {
  html: string
  /** Pictures that were embedded as data URLs. */
  files: File[]
  /** The number of pictures that cannot be loaded, such as those on the local disk. */
  lost: number
}

/** Removes embedded pictures and the leftovers of office programs from pasted HTML. */
export function cleanPasted(html: string): CleanedHtml {
  const { body } = parse(html)
  const files: File[] = []
  let lost = 0
  for (const picture of body.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? ''
    if (isMediaAddress(address)) continue
    picture.remove()
    const file = fromDataUrl(address)
    if (file) files.push(file)
    else lost += 1
  }
  for (const blank of body.querySelectorAll(String.raw`o\:p`)) if (blank.textContent.trim() === '') blank.remove()
  for (const [from, to] of levels) {
    for (const heading of body.querySelectorAll(from)) {
      const replacement = heading.ownerDocument.createElement(to)
      replacement.append(...heading.childNodes)
      heading.replaceWith(replacement)
    }
  }
  return { html: body.innerHTML, files, lost }
}

/** Whether the HTML contains more than pictures. */
export function hasText(html: string): boolean {
  return html !== '' && parse(html).body.textContent.trim() !== ''
}

/** The article's title is the `h1`: headings of the text begin with `h2`. */
const levels = [
  ['h1', 'h2'],
  ['h5, h6', 'h4'],
] as const

function parse(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html')
}

function fromDataUrl(address: string): File | undefined {
  const [, type = '', data = ''] = /^data:(image\/[\w.+-]+);base64,([\s\S]+)$/.exec(address) ?? []
  if (!data) return undefined
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    return new File([bytes], `图片.${type.replace('image/', '')}`, { type })
  } catch {
    return undefined
  }
}
