import { expect, test } from 'vitest'
import { fitSheet } from './sheet-pages.ts'

const sheet = (given: { before?: string; last?: string; cols?: string; after?: string } = {}) =>
  `<worksheet xmlns="x">${given.before ?? ''}<dimension ref="A1:${given.last ?? 'P'}9"/>${given.cols ?? ''}<sheetData><row/></sheetData>${given.after ?? ''}</worksheet>`
const fitted = (xml: string) => fitSheet(Buffer.from(xml)).toString('utf8')

test('a wide sheet is turned on its side and fitted to the width', () => {
  const xml = fitted(sheet())
  expect(xml).toContain('<worksheet xmlns="x"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension')
  expect(xml).toContain(
    '</sheetData><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>',
  )
})

test('one that is a little too wide stays upright', () => {
  expect(fitted(sheet({ last: 'J' }))).toContain('orientation="portrait" fitToWidth="1"')
})

test('what is there already is changed, not doubled', () => {
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
])('a sheet that is %s is left alone', (_, xml) => {
  expect(fitted(xml)).toBe(xml)
})

test('a sheet as wide as a wall is spread over as many pages as it takes to read it', () => {
  expect(fitted(sheet({ last: 'BZ' }))).toContain('fitToWidth="3"')
})
