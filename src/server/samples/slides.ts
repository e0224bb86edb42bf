import { escapeXml } from '#server/convert/xml.ts'
import type { Slide } from './chapters.ts'
import { contentTypes, drawingNamespace, relationshipsNamespace, relationshipsXml, officeContentType } from './ooxml.ts'
import { theme } from './ooxml-theme.ts'
import { pack } from './pack.ts'
import { paragraphs } from './prose.ts'

const presentationNamespace = 'http://schemas.openxmlformats.org/presentationml/2006/main'
const namespaces = `xmlns:p="${presentationNamespace}" xmlns:a="${drawingNamespace}" xmlns:r="${relationshipsNamespace}"`
const emptyTree = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'

/** Slides with a title in a coloured band and lines below it. With a number of slides, all have the same lines. */
export function makePptx({
  title = '年度总结',
  slides = 2,
}: { title?: string; slides?: number | readonly Slide[] } = {}): Uint8Array {
  const contents = typeof slides === 'number' ? sameSlides(title, slides) : slides
  const numbers = contents.map((_, index) => index + 1)
  return pack({
    '[Content_Types].xml': contentTypes({
      '/ppt/presentation.xml': `${officeContentType}.presentationml.presentation.main+xml`,
      '/ppt/slideMasters/slideMaster1.xml': `${officeContentType}.presentationml.slideMaster+xml`,
      '/ppt/slideLayouts/slideLayout1.xml': `${officeContentType}.presentationml.slideLayout+xml`,
      '/ppt/theme/theme1.xml': `${officeContentType}.theme+xml`,
      ...Object.fromEntries(
        numbers.map((n) => [`/ppt/slides/slide${n}.xml`, `${officeContentType}.presentationml.slide+xml`]),
      ),
    }),
    '_rels/.rels': relationshipsXml([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': `<p:presentation ${namespaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst><p:sldIdLst>${numbers.map((n) => `<p:sldId id="${255 + n}" r:id="rId${n + 1}"/>`).join('')}</p:sldIdLst><p:sldSz cx="${slideWidth}" cy="${slideHeight}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationshipsXml([
      ['slideMaster', 'slideMasters/slideMaster1.xml'],
      ...numbers.map((n): [string, string] => ['slide', `slides/slide${n}.xml`]),
    ]),
    'ppt/slideMasters/slideMaster1.xml': `<p:sldMaster ${namespaces}><p:cSld><p:spTree>${emptyTree}</p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst></p:sldMaster>`,
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationshipsXml([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['theme', '../theme/theme1.xml'],
    ]),
    'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout ${namespaces} type="blank"><p:cSld name="blank"><p:spTree>${emptyTree}</p:spTree></p:cSld></p:sldLayout>`,
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationshipsXml([
      ['slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
    'ppt/theme/theme1.xml': theme,
    ...Object.fromEntries(
      contents.flatMap((slide, index) => [
        [`ppt/slides/slide${index + 1}.xml`, slideXml(slide, index === 0 && typeof slides !== 'number')],
        [
          `ppt/slides/_rels/slide${index + 1}.xml.rels`,
          relationshipsXml([['slideLayout', '../slideLayouts/slideLayout1.xml']]),
        ],
      ]),
    ),
  })
}

const [slideWidth, slideHeight] = [12_192_000, 6_858_000]
const margin = 760_000

function sameSlides(title: string, count: number): Slide[] {
  return Array.from({ length: count }, (_, index) => ({ title: `${title} ${index + 1}`, lines: paragraphs(3) }))
}

/** On the cover the band fills the upper part, and the title is larger. */
function slideXml({ title, lines }: Slide, isCover: boolean): string {
  const band = isCover ? 4_300_000 : 1_400_000
  const size = isCover ? 5400 : 3600
  const body = isCover
    ? box(
        4,
        { top: band + 500_000, height: 1_200_000 },
        lines.map((line) => text(line, 2400, '666666')),
      )
    : box(4, { top: band + 450_000, height: slideHeight - band - 900_000 }, lines.map(bullet))
  const heading = box(3, { top: 0, height: band, anchor: isCover ? 'b' : 'ctr' }, [text(title, size, 'FFFFFF', true)])
  return `<p:sld ${namespaces}><p:cSld><p:spTree>${emptyTree}${bandXml(band)}${heading}${body}</p:spTree></p:cSld></p:sld>`
}

function bandXml(height: number): string {
  const fill = (color: string) => `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill>`
  const shape = (id: number, top: number, tall: number, color: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="band ${id}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="${top}"/><a:ext cx="${slideWidth}" cy="${tall}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>${fill(color)}<a:ln><a:noFill/></a:ln></p:spPr></p:sp>`
  return shape(2, 0, height, '1D4E89') + shape(5, height, 76_000, 'F2A541')
}

function box(id: number, place: { top: number; height: number; anchor?: string }, paragraphs: string[]): string {
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="box ${id}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="${margin}" y="${place.top}"/><a:ext cx="${slideWidth - 2 * margin}" cy="${place.height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr wrap="square" bIns="${place.anchor === 'b' ? 420_000 : 45_720}" anchor="${place.anchor ?? 't'}"/>${paragraphs.join('')}</p:txBody></p:sp>`
}

function bullet(line: string): string {
  const layout =
    '<a:pPr marL="500000" indent="-500000"><a:lnSpc><a:spcPct val="120000"/></a:lnSpc><a:spcAft><a:spcPts val="2000"/></a:spcAft><a:buClr><a:srgbClr val="F2A541"/></a:buClr><a:buFont typeface="Arial"/><a:buChar char="•"/></a:pPr>'
  return text(line, 3000, '222222').replace('<a:p>', `<a:p>${layout}`)
}

function text(line: string, size: number, color: string, isBold = false): string {
  return `<a:p><a:r><a:rPr lang="zh-CN" sz="${size}"${isBold ? ' b="1"' : ''}><a:solidFill><a:srgbClr val="${color}"/></a:solidFill><a:ea typeface="微软雅黑"/></a:rPr><a:t>${escapeXml(line)}</a:t></a:r></a:p>`
}
