import { expect, test } from 'vitest'
import { downloadCodeCsv } from './download-code-csv.ts'

test('the exported codes carry no formula, whatever the note says', () => {
  const csv = downloadCodeCsv(['2345-6789-ABCD-EFGH'], {
    kind: '任意一篇文档',
    validity: '长期',
    note: '=HYPERLINK("http://evil"),"x"',
  })
  expect(csv).toBe(
    '\uFEFF下载码,用途,有效期,备注\r\n2345-6789-ABCD-EFGH,任意一篇文档,长期,"\'=HYPERLINK(""http://evil""),""x"""\r\n',
  )
  for (const start of ['=', '+', '-', '@', '＝', '\t'])
    expect(downloadCodeCsv(['A'], { kind: '', validity: '', note: `${start}1` })).toContain(`'${start}1`)
})
