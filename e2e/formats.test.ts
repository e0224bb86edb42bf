import { DocumentStatus } from '#shared/document-status.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentExts } from '#shared/document-kinds.ts'
import { findOffice } from '#server/convert/sandbox/executables.ts'
import { makeEpub, makeMobi, makeUmd } from '#server/samples/books.ts'
import { makeChm } from '#server/samples/chm.ts'
import { makeOdp, makeOds, makeOdt } from '#server/samples/open-document.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeCsv, makeXlsx } from '#server/samples/sheets.ts'
import { makePptx } from '#server/samples/slides.ts'
import { encodeGbk, makeText } from '#server/samples/text.ts'
import { makeRtf } from '#server/samples/rtf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { saveAs } from '#server/testing/office.ts'
import { expectNoPageErrors, openBrowser, openWindow } from './browser.ts'
import { type PublishedDocument, type UploadClient, createUploadClient, sha256 } from './upload-client.ts'
import { configure } from './owner.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** Every kind of file that may be uploaded is read in a browser, or says that it cannot be, and comes back as it was. */

const office = findOffice() ?? ''
const owner = { username: 'admin', password: 'owner password' }

let browser: Browser
let site: RunningSite
let uploader: UploadClient
beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: owner.password })
  await configure(site, { 'security.enable_captcha_login': 'false' })
  uploader = await createUploadClient(site.url, owner)
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

interface Sample {
  bytes: Uint8Array
  /** On the first page; empty when there are no pages. */
  words: string
}

test.skipIf(!office)(
  'every kind of file is shown in readable Chinese or says that it is not, and is downloaded intact',
  async () => {
    const samples = await samplesOfAllKinds()
    expect(Object.keys(samples).toSorted()).toEqual([...documentExts].toSorted())
    const kinds = Object.entries(samples)
    const documents = await uploader.publish(
      ...kinds.map(([ext, { bytes }]): [string, Uint8Array] => [nameOf(ext), bytes]),
    )
    const progress = await uploader.waitUntilFinished(
      documents.map(({ id }) => id),
      120_000,
    )
    const page = await openWindow(browser, site.url)
    for (const [at, [ext, { bytes, words }]] of kinds.entries()) {
      const document = documents[at] as PublishedDocument
      const { status, pages, convert_error } = progress.find(({ id }) => id === document.id) ?? {}
      if (words) {
        expect({ status, convert_error }, ext).toEqual({ status: DocumentStatus.Converted, convert_error: '' })
        expect(pages, ext).toBeGreaterThan(0)
        await readFirstPage(page, { uuid: document.uuid, ext, words })
      } else {
        expect(convert_error, ext).toBe('暂不支持在线预览，可以下载后查看')
        await page.goto(`/document/${document.uuid}`)
        await page.getByRole('heading', { name: '暂不支持在线预览' }).waitFor()
      }
      expect(await uploader.download(document.id), ext).toEqual({ name: nameOf(ext), sha256: sha256(bytes) })
    }
    expectNoPageErrors(page)
  },
  300_000,
)

function nameOf(ext: string): string {
  return `二〇二六年 工作报告（终稿）${ext.slice(1)}${ext}`
}

/** As a person sees it: a picture that is not blank, and words that can be selected. */
async function readFirstPage(page: Page, { uuid, ext, words }: { uuid: string; ext: string; words: string }) {
  await page.goto(`/document/${uuid}?view=pages`)
  const first = page.locator('figure[data-page="1"]')
  const text = async () => ((await first.textContent()) ?? '').replaceAll(/\s/g, '')
  await expect.poll(text, { timeout: 15_000, message: ext }).toContain(words)
  const ink = await first.locator('img').evaluate(inkOf)
  expect(ink, `${ext}: share of the page that is dark`).toBeGreaterThan(0.001)
  expect(ink, `${ext}: share of the page that is dark`).toBeLessThan(0.5)
}

/** The dark share of a picture, drawn at its own size. Runs in the page. */
async function inkOf(picture: SVGElement | HTMLElement): Promise<number> {
  if (!(picture instanceof HTMLImageElement)) return 0
  await picture.decode()
  const canvas = document.createElement('canvas')
  canvas.width = picture.naturalWidth
  canvas.height = picture.naturalHeight
  const pen = canvas.getContext('2d')
  if (!pen || canvas.width === 0) return 0
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(picture, 0, 0)
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height)
  let dark = 0
  for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128) dark += 1
  return dark / (canvas.width * canvas.height)
}

/** Files of the old kinds are made by the office program, and those of Kingsoft are the same under other names. */
async function samplesOfAllKinds(): Promise<Record<string, Sample>> {
  const docx = makeDocx({ title: '文库使用说明' })
  const pptx = makePptx({ title: '年度总结' })
  const words = '有人把多年的讲义整理出来'
  const [word, excel, slides] = await Promise.all([
    saveAs(office, docx, '.docx', '.doc'),
    saveAs(office, makeXlsx(), '.xlsx', '.xls'),
    saveAs(office, pptx, '.pptx', '.ppt'),
  ])
  const doc = { bytes: word, words }
  const xls = { bytes: excel, words: '复印纸' }
  const ppt = { bytes: slides, words: '年度总结' }
  const marked = ({ bytes, words }: Sample, ext: string) => ({ bytes: Buffer.concat([bytes, Buffer.from(ext)]), words })
  const kindle = (n: number) => ({ bytes: makeMobi({ title: `书${n}`, version: 8 }), words: '' })
  return {
    '.pdf': { bytes: makePdf({ title: '文库年报' }), words: '文库年报' },
    '.doc': doc,
    '.dot': marked(doc, 'dot'),
    '.wps': marked(doc, 'wps'),
    '.docx': { bytes: docx, words },
    '.rtf': { bytes: makeRtf(), words },
    '.odt': { bytes: makeOdt(), words },
    '.md': { bytes: Buffer.from('# 读书笔记\n\n今天读了 **两章**。\n'), words: '今天读了两章' },
    '.markdown': { bytes: Buffer.from('# 读书笔记\n\n明天再读一章。\n'), words: '明天再读一章' },
    '.ppt': ppt,
    '.pps': marked(ppt, 'pps'),
    '.pot': marked(ppt, 'pot'),
    '.dps': marked(ppt, 'dps'),
    '.pptx': { bytes: pptx, words: '年度总结' },
    '.ppsx': { bytes: makePptx({ title: '放映' }), words: '放映' },
    '.odp': { bytes: makeOdp(), words: '课程介绍' },
    '.xls': xls,
    '.et': marked(xls, 'et'),
    '.xlsx': { bytes: makeXlsx(), words: '订书机' },
    '.ods': { bytes: makeOds(), words: '笔记本' },
    '.csv': { bytes: encodeGbk(makeCsv()), words: '学生用' },
    '.tsv': { bytes: Buffer.from(makeCsv(undefined, '\t')), words: '复印纸' },
    '.txt': { bytes: encodeGbk(makeText()), words: '山谷里的第1个春天' },
    '.epub': { bytes: makeEpub(), words: '山谷里的第1个春天' },
    '.mobi': { bytes: makeMobi(), words: '山谷里的第1个春天' },
    '.umd': { bytes: makeUmd(), words: '有人把多年的讲义整理出来' },
    '.chm': { bytes: makeChm({ '/index.html': helpPage }), words: '帮助文件的第一页' },
    '.azw': kindle(1),
    '.azw3': kindle(2),
    '.azw4': kindle(3),
  }
}

const helpPage =
  '<html><head><meta charset="utf-8"></head><body><h1>帮助文件的第一页</h1><p>请看目录。</p></body></html>'
