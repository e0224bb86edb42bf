import { encodeGbk } from '#server/samples/text.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { linkPage } from '../html-page.ts'
import type { Trap } from '../trap-site.ts'

/** What a server may send as a file name, and what the document is called: never a path, never a control character. */
export const sentNames: { path: string; disposition: string; expected: string }[] = [
  { path: '/names/1', disposition: 'attachment; filename="../../etc/passwd.pdf"', expected: 'passwd.pdf' },
  { path: '/names/2', disposition: 'attachment; filename="C:\\\\temp\\\\report.pdf"', expected: 'report.pdf' },
  {
    path: '/names/3',
    disposition: `attachment; filename="${bytes(encodeGbk('年度报告.pdf'))}"`,
    expected: '年度报告.pdf',
  },
  { path: '/names/4', disposition: `attachment; filename=${bytes('原样的名称.pdf')}`, expected: '原样的名称.pdf' },
  {
    path: '/names/5',
    disposition: `attachment; filename="wrong.pdf"; filename*=UTF-8''${encodeURIComponent('规范的名称.pdf')}`,
    expected: '规范的名称.pdf',
  },
  {
    path: '/names/6',
    disposition: `attachment; filename="${encodeURIComponent('百分号.pdf')}"`,
    expected: '百分号.pdf',
  },
  {
    path: '/names/7',
    disposition: `attachment; filename*=UTF-8''${encodeURIComponent('看起来\u202efdp.exe\u0007.pdf')}`,
    expected: '看起来fdp.exe.pdf',
  },
  { path: `/names/${encodeURIComponent('地址里的名称')}.pdf`, disposition: '', expected: '地址里的名称.pdf' },
]

/** Each file is stored under the expected name. */
export const names: Trap = {
  start: '/names/',
  routes: {
    '/names/': linkPage(
      '名称',
      sentNames.map(({ path }) => path),
    ),
    ...Object.fromEntries(
      sentNames.map(({ path, disposition, expected }) => [
        path,
        {
          headers: { 'content-type': 'application/pdf', ...(disposition && { 'content-disposition': disposition }) },
          // Node refuses raw bytes in this header beside a Content-Length.
          body: [makePdf({ title: expected })],
        },
      ]),
    ),
  },
}

/** Bytes as they stand in a header. */
function bytes(content: string | Uint8Array): string {
  return Buffer.from(content as string).toString('latin1')
}
