import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstExtraObject, makeRawPdf } from '#server/samples/raw-pdf.ts'
import { expectNoPageErrors, openBrowser, openWindow, phone, visit } from './browser.ts'
import { type Box, findGlyphs, overlap, readGlyphs, unite } from './glyphs.ts'
import { allowContributions, createMember, publishAndWait, signInAsRoot } from './site-setup.ts'
import { type RunningSite, startSite } from './running-site.ts'
import type { PublishedDocument } from './upload-client.ts'

/** The text layer: highlights lie on the glyphs, and selecting with the mouse behaves over blank space. */

const phrases = ['Wendou', 'illustrating', '全文检索', 'WiMAX 网络', '的速度', 'HTTP/2', '第12章']
const mixedLines = [
  ['文豆', ' Wendou ', '是一个开放源代码的文库，', 'illustrating ', '它用', ' PostgreSQL ', '做全文检索'],
  ['IIIIIIIIIIlllllllllliiiiiiiiii', '与', 'WWWWWWWWMMMMMMMM ', 'WiMAX ', '网络的速度，', 'HTTP/2', '，第', '12', '章'],
]
const columns = Array.from({ length: 6 }, (_, row) => [`左栏第${row + 1}行的文字`, `右栏第${row + 1}行的文字`] as const)

let browser: Browser
let site: RunningSite
let book: PublishedDocument
const file = makeMixedPdf()

beforeAll(async () => {
  browser = await openBrowser()
  site = await startSite('sqlite', { ADMIN_PASSWORD: 'root password' })
  const root = await signInAsRoot(site, 'root password')
  await allowContributions(root, { reviewed: false })
  const author = await createMember(site, root, '写书的人')
  book = await publishAndWait(site, author, { name: '混排.pdf', bytes: file })
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.stop()
})

test('highlights lie on the glyphs of lines that mix Chinese and Latin, level or turned', async () => {
  const lines = readGlyphs(file, 'application/pdf', 1)
  const page = await openWindow(browser, site.url)
  await visit(page, `/document/${book.uuid}?find=${encodeURIComponent('文豆')}`)
  for (const phrase of [...phrases, '竖着的 Latin 字']) {
    await page.getByLabel('要查找的文字').fill(phrase)
    const shown = async () => (await page.locator('mark').allTextContents()).join('').replaceAll(' ', '')
    await expect.poll(shown).toBe(phrase.replaceAll(' ', ''))
    const glyphs = findGlyphs(lines, phrase)
    expect(glyphs, phrase).not.toEqual([])
    const [mark, printed] = [unite(await boxes(page, 'mark')), unite(glyphs)]
    const measured = phrase.startsWith('竖') ? overlap(turn(mark), turn(printed)) : overlap(mark, printed)
    expect(measured, phrase).toBeGreaterThan(0.9)
  }
  expectNoPageErrors(page)
})

test('a selection stays where it is over blank space, goes down a column, and is copied line by line', async () => {
  const page = await openWindow(browser, site.url)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, `/document/${book.uuid}?page=2`)
  await page.locator('figure[data-page="2"] [data-line]').first().waitFor()
  const leftLines = (from: number, to: number) =>
    columns
      .slice(from - 1, to)
      .map(([left]) => left)
      .join('\n')

  const copied = async (from: Point, ...path: Point[]) => {
    await drag(page, from, path)
    return copiedText(page)
  }
  const blank = { x: 100, y: 330 }

  // To below the last line of the column, where the page is blank, and further to where it is blank on the right.
  expect(await copied({ x: 51, y: 106 }, { x: 70, y: 150 }, { x: 70, y: 205 }, blank)).toBe(leftLines(2, 6))

  // Down the column, out into the blank space beside it, and back.
  const part = `${leftLines(1, 3)}\n左栏第4行的文`
  expect(await copied({ x: 51, y: 82 }, { x: 120, y: 130 }, { x: 10, y: 154 }, { x: 121, y: 154 })).toBe(part)
  await page.keyboard.press('Control+c')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(part)

  // Upwards into the blank top of the page.
  expect(await copied({ x: 121, y: 154 }, { x: 120, y: 100 }, { x: 300, y: 20 })).toBe(part)

  // Out of the page to the left, and on to between the pages.
  const outside = [
    { x: 121, y: 154 },
    { x: -12, y: 154 },
    { x: -12, y: -7 },
    { x: 300, y: -7 },
  ]
  expect(await copied({ x: 51, y: 82 }, ...outside)).toBe(leftLines(1, 3))
  await page.getByRole('toolbar', { name: '标记选中的文字' }).waitFor()

  // Along one line, then into the gap below it.
  expect(await copied({ x: 321, y: 82 }, { x: 380, y: 82 }, { x: 380, y: 91 })).toMatch(/^右栏第1行的?$/)
  expectNoPageErrors(page)
})

test('the handles of a touch screen leave the selection where it is beside and between pages', async () => {
  const page = await openWindow(browser, site.url, { viewport: phone, hasTouch: true })
  await visit(page, `/document/${book.uuid}?page=2&view=pages`)
  await page.locator('figure[data-page="2"] [data-line]').first().tap()
  // As the browser does when a handle moves.
  const selectTo = (side: 'right' | 'below', chars: number) =>
    page.evaluate(
      ([side, chars]) => {
        const figure = document.querySelector('figure[data-page="2"]')
        const [first, third] = [0, 2].map((line) => figure?.querySelector(`[data-line="${line}"] span`)?.firstChild)
        const [box, beside] = [figure?.getBoundingClientRect(), third?.parentElement?.getBoundingClientRect()]
        if (!first || !third || !box || !beside) throw new Error('the page has no text')
        getSelection()?.setBaseAndExtent(first, 0, third, chars)
        const [x, y] = side === 'right' ? [box.right + 6, beside.top] : [beside.left, box.bottom + 3]
        return new Promise<boolean>((resolve) => {
          const changed = () => {
            const place = document.caretPositionFromPoint(x, y)
            if (place) getSelection()?.extend(place.offsetNode, place.offset)
            resolve(!figure?.querySelector('[data-text-layer]')?.contains(place?.offsetNode ?? null))
          }
          document.addEventListener('selectionchange', changed, { once: true })
        })
      },
      [side, chars] as const,
    )
  const twoLines = '左栏第1行的文字\n左栏第2行的文字\n'
  expect(await selectTo('right', 3)).toBe(true)
  await expect.poll(() => copiedText(page)).toBe(`${twoLines}左栏第`)
  expect(await selectTo('below', 2)).toBe(true)
  await expect.poll(() => copiedText(page)).toBe(`${twoLines}左栏`)
  expectNoPageErrors(page)
})

interface Point {
  x: number
  y: number
}

/** Points of the page that is shown. */
async function drag(page: Page, from: Point, path: readonly Point[]): Promise<void> {
  const figure = page.locator('figure[data-page="2"]')
  const toScreen = async ({ x, y }: Point) => {
    const box = await figure.boundingBox()
    if (!box) throw new Error('the page is not shown')
    return [box.x + (x / 595) * box.width, box.y + (y / 842) * box.height] as const
  }
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await page.mouse.move(...(await toScreen(from)))
  await page.mouse.down()
  for (const point of path) await page.mouse.move(...(await toScreen(point)), { steps: 6 })
  await page.mouse.up()
}

/** Without the system's clipboard, which other tests use at the same time. */
function copiedText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const clipboardData = new DataTransfer()
    document.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true }))
    return clipboardData.getData('text/plain')
  })
}

/** In points of their page. */
function boxes(page: Page, selector: string): Promise<Box[]> {
  return page.evaluate((selector) => {
    const points = (element: Element) => {
      const figure = element.closest('figure')?.querySelector('img')?.getBoundingClientRect() ?? new DOMRect()
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const x = (at: number) => ((at - figure.left) / figure.width) * 595
      const y = (at: number) => ((at - figure.top) / figure.height) * 842
      return { left: x(left), right: x(right), top: y(top), bottom: y(bottom) }
    }
    return [...document.querySelectorAll(selector)].map(points)
  }, selector)
}

function turn({ left, right, top, bottom }: Box): Box {
  return { left: top, right: bottom, top: left, bottom: right }
}

/** Page 1: lines in two fonts of different proportions; page 2: two columns and blank space below. */
function makeMixedPdf(): Uint8Array {
  const [form, latin] = [firstExtraObject, firstExtraObject + 1]
  const isChinese = (part: string) => /\p{Script=Han}/u.test(part)
  const show = (part: string) =>
    isChinese(part)
      ? `/F 10.5 Tf <${Buffer.from(part, 'utf16le').swap16().toString('hex')}> Tj`
      : `/L 10.5 Tf (${part}) Tj`
  const mixed = mixedLines.map((parts, index) => `BT 1 0 0 1 50 ${760 - index * 24} Tm ${parts.map(show).join(' ')} ET`)
  const turned = `BT 0 1 -1 0 500 300 Tm ${['竖着的', ' Latin ', '字行'].map(show).join(' ')} ET`
  const rows = columns.flatMap(([left, right], row) => {
    const y = 757 - row * 24
    return [`BT 1 0 0 1 50 ${y} Tm ${show(left)} ET`, `BT 1 0 0 1 320 ${y} Tm ${show(right)} ET`]
  })
  const resources = `/Resources << /Font << /F 3 0 R /L ${latin} 0 R >> >>`
  const formOf = (content: string) =>
    [`/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${resources}`, content] as const
  const columnsInOrder = [...rows.filter((_, at) => at % 2 === 0), ...rows.filter((_, at) => at % 2 === 1)]
  return makeRawPdf(
    [
      { content: '/X Do', resources: `/XObject << /X ${form} 0 R >>` },
      { content: '/X Do', resources: `/XObject << /X ${form + 2} 0 R >>` },
    ],
    {
      objects: [
        formOf([...mixed, turned].join('\n')),
        '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>',
        formOf(columnsInOrder.join('\n')),
      ],
    },
  )
}
