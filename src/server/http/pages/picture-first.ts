/**
 * Has the scripts of a page with an urgent picture, such as the first page of a document, load after that picture: they
 * compete for the connection and the processor, and the picture is what the visitor has come for.
 */
export function pictureFirst(html: string, nonce: string): string {
  const [tag] = /<script\b[^>]* type="module"[^>]*>/.exec(html) ?? []
  if (!tag || !html.includes(' fetchPriority="high"')) return html
  const start = html.indexOf(tag)
  const end = html.indexOf(scriptEnd, start) + scriptEnd.length
  const before = html.slice(0, start).replaceAll('<link rel="modulepreload"', '<link rel="delayed-modulepreload"')
  const delayed = html.slice(start, end).replace(/ type="module"( async="")?/, ' type="text/plain"')
  return `${before}${delayed}<script nonce="${nonce}">${loader}${scriptEnd}${html.slice(end)}`
}

const scriptEnd = '</script>'
/** A picture that takes longer does not delay the scripts any further. */
const headStartMs = 200

const loader = `(${loadAfterPicture.toString()})(${headStartMs})`

/** Serialized to text: it may use nothing from outside itself. */
function loadAfterPicture(ms: number): void {
  const delayed = document.currentScript?.previousElementSibling
  const load = () => {
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=delayed-modulepreload]'))
      link.rel = 'modulepreload'
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = delayed?.textContent ?? ''
    document.body.append(script)
  }
  const picture = document.querySelector<HTMLImageElement>('img[fetchpriority=high]')
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const shown = picture ? picture.decode().then(nextFrame) : Promise.resolve()
  Promise.race([shown, new Promise((resolve) => setTimeout(resolve, ms))]).then(load, load)
}
