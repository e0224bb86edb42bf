import makeCode from 'qrcode-generator'

interface Card {
  title: string
  /** The path of the cover; empty for none. */
  cover: string
  address: string
  sitename: string
}

const width = 720
const padding = 56
const coverWidth = width - 2 * padding
const titleSize = 40
const maxTitleLines = 3
const codeSide = 168
const fonts = '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif'

/** A picture to pass on: the cover, the title, and a QR code that opens the document. */
export async function drawCard({ title, cover, address, sitename }: Card): Promise<Blob> {
  const picture = cover === '' ? undefined : await loadPicture(cover).catch(() => undefined)
  const coverHeight = picture ? Math.min(coverWidth * 1.2, (coverWidth * picture.height) / picture.width) : 0
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.font = `600 ${titleSize}px ${fonts}`
  const lines = wrap(title, (text) => context.measureText(text).width <= coverWidth, maxTitleLines)
  const titleTop = padding + (picture ? coverHeight + 40 : 0)
  const footTop = titleTop + lines.length * titleSize * 1.4 + 36
  canvas.width = width
  canvas.height = footTop + codeSide + padding
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  if (picture) {
    const scale = coverWidth / picture.width
    context.drawImage(picture, 0, 0, picture.width, coverHeight / scale, padding, padding, coverWidth, coverHeight)
    context.strokeStyle = '#e5e6e1'
    context.strokeRect(padding, padding, coverWidth, coverHeight)
  }
  context.textBaseline = 'top'
  context.fillStyle = '#1b1f1d'
  context.font = `600 ${titleSize}px ${fonts}`
  for (const [index, line] of lines.entries()) context.fillText(line, padding, titleTop + index * titleSize * 1.4)
  context.font = `500 30px ${fonts}`
  context.fillText(sitename, padding, footTop + 44)
  context.fillStyle = '#5d6561'
  context.font = `26px ${fonts}`
  context.fillText('扫码阅读全文', padding, footTop + 92)
  drawCode(context, address, { left: width - padding - codeSide, top: footTop, side: codeSide })
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png')
  })
}

/** Breaks a text into lines that fit; the last of too many ends with an ellipsis. */
export function wrap(text: string, fits: (line: string) => boolean, max: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const character of text) {
    if (fits(line + character)) line += character
    else {
      lines.push(line)
      line = character.trim()
    }
  }
  if (line !== '') lines.push(line)
  if (lines.length <= max) return lines
  const last = `${Array.from(lines[max - 1] ?? '')
    .slice(0, -1)
    .join('')}…`
  return [...lines.slice(0, max - 1), last]
}

function drawCode(
  context: CanvasRenderingContext2D,
  content: string,
  { left, top, side }: { left: number; top: number; side: number },
): void {
  const code = makeCode(0, 'M')
  code.addData(content)
  code.make()
  const count = code.getModuleCount()
  const cell = side / count
  context.fillStyle = '#121614'
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < count; column += 1)
      if (code.isDark(row, column))
        context.fillRect(left + column * cell, top + row * cell, Math.ceil(cell), Math.ceil(cell))
}

async function loadPicture(source: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = source
  await picture.decode()
  return picture
}
