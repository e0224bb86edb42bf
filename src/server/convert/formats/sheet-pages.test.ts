import { expect, test } from 'vitest'
import { fitSheet } from './sheet-pages.ts'

const sheet = (parts: { before?: string; last?: string; cols?: string; after?: string } = {}) =>
  `<worksheet xmlns="x">${parts.before ?? ''}<dimension ref="A1:${parts.last ?? 'P'}9"/>${parts.cols ?? ''}<sheetData><row/></sheetData>${parts.after ?? ''}</worksheet>`
const fitted = (xml: string) => fitSheet(Buffer.from(xml)).toString('utf8')

test('a wide sheet becomes landscape and is fitted to the width', () => {
  const xml = fitted(sheet())
  expect(xml).toContain('<worksheet xmlns="x"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension')
  expect(xml).toContain(
    '</sheetData><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>',
  )
})

test('a sheet that is a little too wide stays portrait', () => {
  expect(fitted(sheet({ last: 'J' }))).toContain('orientation="portrait" fitToWidth="1"')
})

test('existing settings are changed, not duplicated', () => {
  const after = '<pageMargins left="1"/><pageSetup paperSize="8" orientation="portrait" r:id="rId1"/>'
  for (const before of [
    '<sheetPr codeName="a"/>',
    '<sheetPr><tabColor rgb="F"/><pageSetUpPr autoPageBreaks="0"/></sheetPr>',
  ]) {
    const xml = fitted(sheet({ before, after }))
    expect(xml.match(/<sheetPr/g)).toHaveLength(1)
    expect(xml.match(/<pageSetUpPr fitToPage="1"\/><\/sheetPr>/g)).toHaveLength(1)
    expect(xml.match(/<pageSetup /g)).toHaveLength(1)
    expect(xml).toContain('paperSize="8" orientation="landscape"')
  }
})

test.each([
  ['narrow', sheet({ last: 'F' })],
  ['made narrow', sheet({ cols: '<cols><col min="1" max="16" width="3"/></cols>' })],
  ['mostly hidden', sheet({ cols: '<cols><col min="4" max="16" width="30" hidden="1"/></cols>' })],
  ['fitted by its author', sheet({ before: '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' })],
  ['scaled by its author', sheet({ after: '<pageSetup scale="60"/>' })],
  ['broken into pages by its author', sheet({ after: '<colBreaks count="1"/>' })],
  ['without data', '<worksheet/>'],
])('a sheet that is %s is not changed', (_, xml) => {
  expect(fitted(xml)).toBe(xml)
})

test('a very wide sheet is spread over several pages, so that it stays readable', () => {
  expect(fitted(sheet({ last: 'BZ' }))).toContain('fitToWidth="3"')
})
