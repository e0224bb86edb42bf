import { createHash } from 'node:crypto'
import { setTimeout as passed } from 'node:timers/promises'
import sharp from 'sharp'

export interface IconSource {
  /** The picture that the owner chose, if any. */
  picture: string
  /** Behind our own sign, where none was chosen. */
  color: string
  read: (path: string) => Promise<Uint8Array | undefined>
}

interface Icon {
  bytes: Buffer
  /** Whether the owner's picture could not be read just now: this is ours in its place, for the moment. */
  makeshift: boolean
}

interface Look {
  side: number
  /** How much of it the picture takes up. */
  share: number
  /** Whether the system cuts its own shape out of it: then nothing may be transparent. */
  filled: boolean
}

/** By the names under which they are served. */
const looks: Record<string, Look> = {
  '48.png': { side: 48, share: 1, filled: false },
  '192.png': { side: 192, share: 1, filled: false },
  '512.png': { side: 512, share: 1, filled: false },
  'apple.png': { side: 180, share: 0.8, filled: true },
  'maskable.png': { side: 512, share: 0.6, filled: true },
}

const mostPixels = 40_000_000
const mostKept = 40
const kept = new Map<string, Promise<Icon>>()
const patienceMs = 10_000
/** As pictures that were put on this site are addressed. */
const ownPicture = /^\/uploads\/[0-9a-f]{2}\/[0-9a-f]{64}\.(?:webp|png|jpg)$/

/** Changes whenever the icons do. */
export function iconVersion({ picture, color }: Pick<IconSource, 'picture' | 'color'>): string {
  return createHash('sha256').update(`${picture} ${color}`).digest('base64url').slice(0, 12)
}

/** Made once for each picture, whoever asks; undefined where there is no such icon. */
export function makeIcon(name: string, source: IconSource): Promise<Icon> | undefined {
  const look = Object.hasOwn(looks, name) ? looks[name] : undefined
  return look && once(`${name} ${iconVersion(source)}`, () => draw(name, look, source))
}

function once(key: string, make: () => Promise<Icon>): Promise<Icon> {
  const known = kept.get(key)
  if (known) return known
  const made = make()
  if (kept.size >= mostKept) kept.clear()
  kept.set(key, made)
  const forget = () => kept.delete(key)
  made.then(({ makeshift }) => makeshift && forget(), forget)
  return made
}

/** A picture that cannot be read is no reason to have no icon. */
async function draw(name: string, look: Look, { picture, color, read }: IconSource): Promise<Icon> {
  if (!ownPicture.test(picture)) return drawSign(look, color)
  const bytes = await Promise.race([
    read(picture).catch(() => undefined),
    passed(patienceMs, undefined, { ref: false }),
  ])
  const chosen = bytes && (await framed(look, bytes).catch(() => undefined))
  if (chosen) return { bytes: chosen, makeshift: false }
  const ours = await once(`${name} ${iconVersion({ picture: '', color })}`, () => drawSign(look, color))
  return { ...ours, makeshift: !bytes }
}

async function drawSign(look: Look, color: string): Promise<Icon> {
  const bytes = await sharp(Buffer.from(sign(look, color)))
    .png()
    .toBuffer()
  return { bytes, makeshift: false }
}

function framed({ side, share, filled }: Look, bytes: Uint8Array): Promise<Buffer> {
  const inner = Math.round(side * share)
  const before = Math.floor((side - inner) / 2)
  const after = side - inner - before
  const background = filled ? '#ffffff' : { r: 0, g: 0, b: 0, alpha: 0 }
  const placed = sharp(bytes, { limitInputPixels: mostPixels })
    .resize(inner, inner, { fit: 'contain', background })
    .extend({ top: before, left: before, bottom: after, right: after, background })
  return (filled ? placed.flatten({ background: '#ffffff' }) : placed).png().toBuffer()
}

/** The sign of the product, as in favicon.svg. */
function sign({ side, share, filled }: Look, color: string): string {
  const scale = filled ? share : 1
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 32 32"><rect width="32" height="32" rx="${filled ? 0 : 8}" fill="${/^#[0-9a-f]{3,8}$/i.test(color) ? color : '#1f6f5c'}"/><path transform="translate(16 16) scale(${scale}) translate(-16 -16)" d="M8.5 8h15M12 12.5h8v5h-8zM11.7 21l1 2.6M20.3 21l-1 2.6M7 25.5h18" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`
}
