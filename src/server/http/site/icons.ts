import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'

export interface IconSource {
  /** The owner's image, or empty. */
  picture: string
  /** The background of the product's logo, which is used without an image. */
  color: string
  read: (path: string) => Promise<Uint8Array | undefined>
}

interface Icon {
  bytes: Buffer
  /** The owner's image could not be read at the moment: this is the product's logo. */
  isFallback: boolean
}

interface IconStyle {
  side: number
  /** The share of the side that the image takes. */
  share: number
  /** Without transparency, as the system crops it to a shape of its own. */
  filled: boolean
}

/** By file name. */
const styles: Record<string, IconStyle> = {
  '48.png': { side: 48, share: 1, filled: false },
  '192.png': { side: 192, share: 1, filled: false },
  '512.png': { side: 512, share: 1, filled: false },
  'apple.png': { side: 180, share: 0.8, filled: true },
  'maskable.png': { side: 512, share: 0.6, filled: true },
}

const maxPixels = 40_000_000
const maxCached = 40
const readTimeoutMs = 10_000
/** The address of an image that was uploaded to this site. */
const ownPicture = /^\/uploads\/[0-9a-f]{2}\/[0-9a-f]{64}\.(?:webp|png|jpg)$/

/** Changes with the icons. */
export function iconVersion({ picture, color }: Pick<IconSource, 'picture' | 'color'>): string {
  return createHash('sha256').update(`${picture} ${color}`).digest('base64url').slice(0, 12)
}

export interface Icons {
  /** Undefined where there is no such icon. */
  get(name: string, source: IconSource): Promise<Icon> | undefined
}

/** Renders each icon once per source. */
export function openIcons(): Icons {
  const cache = new LRUCache<string, Promise<Icon>>({ max: maxCached })

  const renderOnce = (key: string, render: () => Promise<Icon>): Promise<Icon> => {
    const cached = cache.get(key)
    if (cached) return cached
    const rendering = render()
    cache.set(key, rendering)
    const evict = () => cache.delete(key)
    rendering.then(({ isFallback }) => isFallback && evict(), evict)
    return rendering
  }

  /** Falls back to the product's logo if the image cannot be read. */
  const render = async (name: string, style: IconStyle, { picture, color, read }: IconSource): Promise<Icon> => {
    if (!ownPicture.test(picture)) return drawLogo(style, color)
    const bytes = await Promise.race([
      read(picture).catch(() => undefined),
      sleep(readTimeoutMs, undefined, { ref: false }),
    ])
    const framed = bytes && (await frame(style, bytes).catch(() => undefined))
    if (framed) return { bytes: framed, isFallback: false }
    const logo = await renderOnce(`${name} ${iconVersion({ picture: '', color })}`, () => drawLogo(style, color))
    return { ...logo, isFallback: !bytes }
  }

  return {
    get(name, source) {
      const style = Object.hasOwn(styles, name) ? styles[name] : undefined
      return style && renderOnce(`${name} ${iconVersion(source)}`, () => render(name, style, source))
    },
  }
}

async function drawLogo(style: IconStyle, color: string): Promise<Icon> {
  const bytes = await sharp(Buffer.from(logoSvg(style, color)))
    .png()
    .toBuffer()
  return { bytes, isFallback: false }
}

function frame({ side, share, filled }: IconStyle, bytes: Uint8Array): Promise<Buffer> {
  const inner = Math.round(side * share)
  const before = Math.floor((side - inner) / 2)
  const after = side - inner - before
  const background = filled ? '#ffffff' : { r: 0, g: 0, b: 0, alpha: 0 }
  const framed = sharp(bytes, { limitInputPixels: maxPixels })
    .resize(inner, inner, { fit: 'contain', background })
    .extend({ top: before, left: before, bottom: after, right: after, background })
  return (filled ? framed.flatten({ background: '#ffffff' }) : framed).png().toBuffer()
}

/** The product's logo, as in favicon.svg. */
function logoSvg({ side, share, filled }: IconStyle, color: string): string {
  const scale = filled ? share : 1
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 32 32"><rect width="32" height="32" rx="${filled ? 0 : 8}" fill="${/^#[0-9a-f]{3,8}$/i.test(color) ? color : '#1f6f5c'}"/><path transform="translate(16 16) scale(${scale}) translate(-16 -16)" d="M8.5 8h15M12 12.5h8v5h-8zM11.7 21l1 2.6M20.3 21l-1 2.6M7 25.5h18" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`
}
