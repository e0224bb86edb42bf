import { DocumentStatus } from '#shared/document-status.ts'
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '#shared/contract/documents.ts'
import { findOffice } from '#server/convert/sandbox/executables.ts'
import { makeEpub } from '#server/samples/books.ts'
import { makeChm } from '#server/samples/chm.ts'
import { relationshipsNamespace } from '#server/samples/ooxml.ts'
import { makeOds, makeOdt } from '#server/samples/open-document.ts'
import { pack } from '#server/samples/pack.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeCsv, makeXlsx } from '#server/samples/sheets.ts'
import { makePptx } from '#server/samples/slides.ts'
import { makeDocx } from '#server/samples/word.ts'
import { type UploadClient, createUploadClient } from './upload-client.ts'
import { configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** External references in documents are not followed: no request is sent (SSRF), no local file is read. */

const owner = { username: 'admin', password: 'owner password' }
const secret = 'GEHEIM-7f3a'

let site: RunningSite
let uploader: UploadClient
let listener: Server
let origin: string
let folder: string
const requests: string[] = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-watched-'))
  writeFileSync(join(folder, 'secret.txt'), secret)
  writeFileSync(join(folder, 'secret.html'), `<html><body>${secret}</body></html>`)
  const picture = sharp({ create: { width: 60, height: 60, channels: 3, background: '#c00' } })
  writeFileSync(join(folder, 'secret.png'), await picture.png().toBuffer())
  listener = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end(secret)
  })
  await new Promise<void>((ready) => listener.listen(0, ready))
  const address = listener.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
  uploader = await createUploadClient(site.url, owner)
})
afterAll(async () => {
  await site.stop()
  listener.close()
  rmSync(folder, { recursive: true })
})

test.skipIf(!findOffice())(
  'documents that refer to a local server and to local files reach neither',
  async () => {
    const places = (name: string) => [`${origin}/${name}`, `file://${join(folder, name)}`, join(folder, name)]
    const files = places('secret.png').flatMap((picture, at): [string, Uint8Array][] => {
      const text = places('secret.txt')[at] ?? ''
      const page = places('secret.html')[at] ?? ''
      return Object.entries(filesReferringTo({ picture, text, page })).map(([name, bytes]) => [`${at}-${name}`, bytes])
    })
    const watched = watchReads()
    const published = await uploader.publish(...files)
    const progress = await uploader.waitUntilFinished(
      published.map(({ id }) => id),
      150_000,
    )
    for (const [at, [name]] of files.entries()) {
      const { status, pages = 0, hash, convert_error } = progress.find(({ id }) => id === published[at]?.id) ?? {}
      expect({ status, convert_error }, name).toEqual({ status: DocumentStatus.Converted, convert_error: '' })
      for (let page = 1; page <= pages; page++) {
        const drawing = await (await fetch(`${site.url}/view/page/${hash}/${page}.svg`)).text()
        const text = await (await fetch(`${site.url}/view/text/${hash}/${page}.json`)).text()
        expect(drawing, name).toContain('<svg')
        expect(drawing, `${name}: a picture`).not.toMatch(/<image|data:/)
        expect(text, name).not.toContain(secret)
      }
      const { content } = await uploader.call(documents.get, { id: published[at]?.id ?? 0, with_all_content: true })
      expect(content, name).toContain('自己的话')
    }
    expect(requests).toEqual([])
    expect(watched()).toEqual([])
    // Proves that the listener would have recorded a request.
    await fetch(`${origin}/heard`)
    expect(requests).toEqual(['/heard'])
  },
  240_000,
)

/** Gives the names of the files that were read since, where the file system records access times. */
function watchReads(): () => string[] {
  const names = ['secret.txt', 'secret.html', 'secret.png']
  const unread = new Date(1e12)
  for (const name of names) utimesSync(join(folder, name), unread, new Date())
  return () => names.filter((name) => statSync(join(folder, name)).atimeMs !== unread.getTime())
}

interface Targets {
  picture: string
  text: string
  page: string
}

const own = '自己的话'

/** The external references that each format allows. */
function filesReferringTo({ picture, text, page }: Targets): Record<string, Uint8Array> {
  const markup = `<p>${own}</p><img src="${picture}"/><object data="${page}"></object><iframe src="${page}"></iframe><embed src="${picture}"/>`
  const styled = `<link rel="stylesheet" href="${text}"/><style>@import url("${text}"); @font-face { font-family: x; src: url("${picture}") } body { background: url("${picture}"); font-family: x }</style>`
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90"><image xlink:href="${picture}" href="${picture}" width="60" height="60"/><use xlink:href="${page}#a"/></svg>`
  const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>一</title>${styled}</head><body>${markup}${drawing}<img src="inside.svg"/></body></html>`
  return {
    '文字.docx': makeDocx({
      title: own,
      body: linkedPicture + fields({ picture, text }),
      links: wordLinks({ picture, page }),
    }),
    '文字.odt': makeOdt({
      title: own,
      body: `<text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${picture}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p><text:section text:name="s"><text:section-source xlink:href="${text}" xlink:type="simple"/><text:p/></text:section><text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:object-ole xlink:href="${page}"/></draw:frame></text:p>`,
    }),
    '幻灯片.pptx': linkedSlides(picture),
    '表格.xlsx': makeXlsx({ rows: [[own], [`=WEBSERVICE("${text}")`], [`=HYPERLINK("${page}","a")`]] }),
    '表格.ods': withFormula({ text, page }),
    '表格.csv': Buffer.from(makeCsv([[own], [`=WEBSERVICE("${text}")`], [`=IMAGE("${picture}")`]])),
    '文字.rtf': Buffer.from(
      `{\\rtf1\\ansi{\\*\\template ${page}}\\u33258?\\u24049?\\u30340?\\u35805?\\par{\\field{\\*\\fldinst INCLUDEPICTURE "${picture}" \\\\d}{\\fldrslt }}\\par{\\field{\\*\\fldinst INCLUDETEXT "${text}"}{\\fldrslt }}\\par}`,
    ),
    '书.epub': makeEpub({ chapters: 1, extra: { 'OEBPS/c1.xhtml': xhtml, 'OEBPS/inside.svg': drawing } }),
    '帮助.chm': makeChm({
      '/index.html': `<html><head><meta charset="utf-8">${styled}</head><body>${markup}${drawing}</body></html>`,
    }),
    '版式.pdf': makePdf({ title: own, text: () => [own, picture] }),
  }
}

const linkedPicture =
  '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1000000" cy="1000000"/><wp:docPr id="1" name="a"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="a"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rId8"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p><w:altChunk r:id="rId9"/>'

function wordLinks({ picture, page }: Pick<Targets, 'picture' | 'page'>): string {
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relationshipsNamespace}/${type}" Target="${target}" TargetMode="External"/>`
  return link('rId8', 'image', picture) + link('rId9', 'aFChunk', page) + link('rId10', 'attachedTemplate', page)
}

function fields({ picture, text }: Pick<Targets, 'picture' | 'text'>): string {
  const field = (code: string) =>
    `<w:p><w:fldSimple w:instr="${code.replaceAll('"', '&quot;')}"><w:r><w:t>-</w:t></w:r></w:fldSimple></w:p>`
  return field(`INCLUDEPICTURE "${picture}" \\d`) + field(`INCLUDETEXT "${text}"`) + field(`DDEAUTO c "${text}"`)
}

function linkedSlides(picture: string): Uint8Array {
  const shape =
    '<p:pic><p:nvPicPr><p:cNvPr id="9" name="a"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
  const link = `<Relationship Id="rId9" Type="${relationshipsNamespace}/image" Target="${picture}" TargetMode="External"/>`
  return edited(makePptx({ title: own, slides: 1 }), {
    'ppt/slides/slide1.xml': ['</p:spTree>', `${shape}</p:spTree>`],
    'ppt/slides/_rels/slide1.xml.rels': ['</Relationships>', `${link}</Relationships>`],
  })
}

function withFormula({ text, page }: Pick<Targets, 'text' | 'page'>): Uint8Array {
  const cell = `<table:table-row><table:table-cell table:formula="of:=WEBSERVICE(&quot;${text}&quot;)" office:value-type="string"><text:p>-</text:p></table:table-cell><table:table-cell table:formula="of:=['${page}'#$Sheet1.A1]" office:value-type="string"><text:p>-</text:p></table:table-cell></table:table-row>`
  const source = `<table:table table:name="外"><table:table-source xlink:href="${page}" xlink:type="simple"/>${cell}</table:table>`
  return edited(makeOds([[own, '']]), {
    'content.xml': ['</table:table>', `${cell}</table:table>${source}`],
  })
}

function edited(archive: Uint8Array, changes: Record<string, [from: string, to: string]>): Uint8Array {
  const parts = Object.entries(unzipSync(archive)).map(([name, bytes]): [string, string] => {
    const [from, to] = changes[name] ?? ['', '']
    const text = strFromU8(bytes)
    if (from && !text.includes(from)) throw new Error(`${name} has no ${from}`)
    return [name, from ? text.replace(from, to) : text]
  })
  return pack(Object.fromEntries(parts))
}
