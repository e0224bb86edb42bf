import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Document } from 'mupdf'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeOdp, makeOds, makeOdt } from '#server/samples/open-document.ts'
import { pack } from '#server/samples/pack.ts'
import { makeCsv, makeXlsx } from '#server/samples/sheets.ts'
import { makePptx } from '#server/samples/slides.ts'
import { encodeGbk } from '#server/samples/text.ts'
import { makeRtf } from '#server/samples/rtf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { writeTempFile, tempFolder } from '#server/testing/folder.ts'
import { saveAs } from '#server/testing/office.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { openConverter } from '../open-converter.ts'
import { openOffice, type Office } from './office.ts'
import { createOfficeProfile } from './profile.ts'
import { findOffice } from '../sandbox/executables.ts'
import { detectIsolation } from '../sandbox/sandbox.ts'
import { sniff } from '../sniff.ts'
import type { Isolation } from '../sandbox/isolation.ts'

const executable = findOffice() ?? ''
const best = await detectIsolation()
const isReady = executable !== '' && best !== 'none'

describe.skipIf(!isReady)('office files become PDFs', () => {
  let office: Office
  let folder: string
  beforeAll(() => {
    folder = tempFolderOfSuite()
    office = openOffice({ workDir: folder, isolation: detectIsolation })
  })
  afterAll(() => office.close())

  test.each([
    ['a.docx', makeDocx({ pages: 3 }), 3, '有人把多年的讲义整理出来'],
    ['a.odt', makeOdt(), 1, '档案室里的旧图纸'],
    ['a.rtf', makeRtf(), 1, '春天来得很晚'],
    ['a.pptx', makePptx({ slides: 2 }), 2, '年度总结'],
    ['a.odp', makeOdp(), 2, '课程介绍'],
    ['a.xlsx', makeXlsx(), 1, '硬面，横格'],
    ['a.ods', makeOds(), 1, '复印纸'],
    ['a.csv', encodeGbk(makeCsv()), 1, '学生用'],
    ['a.tsv', makeCsv(undefined, '\t'), 1, '复印纸'],
  ])('%s', async (name, content, pages, words) => {
    const pdf = await toPdf(office, name, content)
    expect(pdf.pages).toBe(pages)
    expect(pdf.text).toContain(words)
  })

  test.each([
    ['.docx', makeDocx(), '.doc', ['.doc', '.dot', '.wps'], '一份好的文档'],
    ['.xlsx', makeXlsx(), '.xls', ['.xls', '.et'], '订书机'],
    ['.pptx', makePptx(), '.ppt', ['.ppt', '.pps', '.pot', '.dps'], '年度总结'],
  ])(
    'the old format of %s, with all its extensions',
    async (from, content, to, names, words) => {
      const old = await saveAs(executable, content, from, to)
      for (const ext of names) {
        const pdf = await toPdf(office, `a${ext}`, old)
        expect(pdf.text, ext).toContain(words)
      }
    },
    60_000,
  )

  test('Chinese fonts that servers lack are substituted', async () => {
    const { bytes } = await toPdf(office, 'a.docx', makeDocx())
    const fonts = [...bytes.toString('latin1').matchAll(/\/BaseFont\s*\/\w{6}\+([\w-]+)/g)].map(([, name]) => name)
    expect(fonts.some((name) => name?.startsWith('NotoSerifCJK'))).toBe(true)
    expect(fonts.some((name) => name?.startsWith('NotoSansCJK'))).toBe(true)
  })

  test('a wide table keeps its columns side by side', async () => {
    const rows = [
      Array.from({ length: 14 }, (_, index) => `第${index}列`),
      Array.from({ length: 14 }, (_, index) => `${index}.50`),
    ]
    const content = { 'a.csv': makeCsv(rows), 'a.xlsx': makeXlsx({ rows }) }
    for (const [name, table] of Object.entries(content)) {
      const pdf = await toPdf(office, name, table)
      expect(pdf.pages, name).toBe(1)
      expect(pdf.text, name).toContain('13.5')
    }
  })

  test('no file is left but the PDF', async () => {
    const { folder } = await toPdf(office, 'a.docx', makeDocx())
    expect(readdirSync(folder)).toEqual(['document.pdf'])
  })

  test('a file that cannot be read is damaged, although the program exits with 0', async () => {
    const broken = pack({ '[Content_Types].xml': 'wordprocessingml.document.main', 'word/document.xml': '<w:document' })
    await expect(toPdf(office, 'a.docx', broken)).rejects.toMatchObject({ reason: 'damaged' })
  })

  test('a document that takes too long is given up, and the next one is converted', async () => {
    const job = (timeoutMs: number) => toPdf(office, 'a.docx', makeDocx({ pages: 40 }), timeoutMs)
    await expect(job(150)).rejects.toMatchObject({ reason: 'timeout' })
    expect((await job(30_000)).pages).toBe(40)
  })

  test('two documents at a time are kept apart', async () => {
    const both = await Promise.all([
      toPdf(office, 'a.docx', makeDocx({ title: '甲' })),
      toPdf(office, 'b.docx', makeDocx({ title: '乙' })),
    ])
    expect(both.map(({ text }) => text.trim()[0])).toEqual(['甲', '乙'])
  })
})

/** Without isolation the settings of LibreOffice alone keep it from following references. */
const isolations: Isolation[] = [best, 'none']

describe.skipIf(!isReady).each(isolations)('external references, with isolation %s', (isolation) => {
  let office: Office
  let server: Server
  let requests: string[]
  let origin: string
  beforeAll(async () => {
    office = openOffice({ workDir: tempFolderOfSuite(), isolation: async () => isolation })
    server = createServer((request, response) => {
      requests.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  })
  beforeEach(() => {
    requests = []
  })
  afterAll(async () => {
    server.close()
    await office.close()
  })

  test('an embedded image is shown, so that the tests below can fail', async () => {
    const image = (await redSquare()).toString('base64')
    const body = `<text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:image><office:binary-data>${image}</office:binary-data></draw:image></draw:frame></text:p>`
    expect(hasPicture((await toPdf(office, 'a.odt', makeOdt({ body }))).bytes)).toBe(true)
  })

  test.each(['http', 'file'])('%s images of a Word file are not fetched', async (scheme) => {
    const target = await targetOf(scheme)
    const image = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image'
    const links = `<Relationship Id="rId9" Type="${image}" Target="${target}" TargetMode="External"/>`
    const body = `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1000000" cy="1000000"/><wp:docPr id="1" name="a"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/image"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="a"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
    const { bytes } = await toPdf(office, 'a.docx', makeDocx({ links, body }))
    expect(requests).toEqual([])
    expect(hasPicture(bytes)).toBe(false)
  })

  test.each(['http', 'file'])('%s images of an OpenDocument are not fetched', async (scheme) => {
    const target = await targetOf(scheme)
    const body = `<text:p><draw:frame svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${target}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`
    const { bytes } = await toPdf(office, 'a.odt', makeOdt({ body }))
    expect(requests).toEqual([])
    expect(hasPicture(bytes)).toBe(false)
  })

  test('a formula that requests a URL sends no request', async () => {
    const rows = [[`=WEBSERVICE("${origin}/formula")`, '=1+1']]
    const { text } = await toPdf(office, 'a.csv', makeCsv(rows))
    expect(requests).toEqual([])
    expect(text).toContain('=1+1')
  })

  async function targetOf(scheme: string): Promise<string> {
    if (scheme === 'http') return `${origin}/image.png`
    const path = join(tempFolder(), 'secret.png')
    writeFileSync(path, await redSquare())
    return `file://${path}`
  }
})

describe.skipIf(best === 'none')('a program that misbehaves', () => {
  test.each([
    ['exits with 0 and writes nothing', 'exit 0', 'damaged'],
    ['writes something else', 'echo hello > "$2/source.pdf"', 'damaged'],
    ['writes an empty file', ': > "$2/source.pdf"', 'damaged'],
    ['writes a symlink to a hidden file', 'ln -s "$SECRET" "$2/source.pdf"', 'damaged'],
    ['writes a named pipe', 'mkfifo "$2/source.pdf"', 'damaged'],
    ['crashes', 'kill -SEGV $$', 'crashed'],
    ['runs out of memory', 'echo "std::bad_alloc"; kill -ABRT $$', 'memory'],
    ['writes without end', 'i=0; while :; do i=$((i+1)); head -c 90000000 /dev/zero > "$2/$i"; done', 'tooLarge'],
    ['hangs', 'sleep 100', 'timeout'],
  ])('%s', async (_, script, reason) => {
    const secret = writeTempFile('secret.pdf', '%PDF-1.5 secret')
    const office = openOffice({
      workDir: tempFolder(),
      isolation: detectIsolation,
      executable: fakeOffice(script.replace('$SECRET', secret.path)),
    })
    await expect(toPdf(office, 'a.docx', makeDocx(), 3000)).rejects.toMatchObject({ reason })
  })

  test('the PDF belongs to the user of the server', async () => {
    const pdf = writeTempFile('a.pdf', makePdf())
    const copy = `printf '%s' '${readFileSync(pdf.path).toString('base64')}' | base64 -d > "$2/source.pdf"`
    const office = openOffice({ workDir: tempFolder(), isolation: detectIsolation, executable: fakeOffice(copy) })
    const { folder } = await toPdf(office, 'a.docx', makeDocx())
    expect(statSync(join(folder, 'document.pdf')).uid).toBe(process.getuid?.())
  })

  /** A script in place of LibreOffice; `$2` is its output folder. */
  function fakeOffice(script: string): () => string {
    const folder = tempFolder()
    chmodSync(folder, 0o755)
    mkdirSync(join(folder, 'bin'), { mode: 0o755 })
    const path = join(folder, 'bin/soffice')
    writeFileSync(path, `#!/bin/sh\nwhile [ "$1" != --outdir ]; do shift || exit 0; done\n${script}\n`, { mode: 0o755 })
    return () => path
  }
})

test('without isolation office files are not converted', async () => {
  const office = openOffice({
    workDir: tempFolder(),
    isolation: async () => {
      throw Object.assign(new Error(), { reason: 'noSandbox' })
    },
  })
  const expected = executable ? 'noSandbox' : 'noTool'
  await expect(toPdf(office, 'a.docx', makeDocx())).rejects.toMatchObject({ reason: expected })
})

test('without LibreOffice documents are not converted', async () => {
  const office = openOffice({ workDir: tempFolder(), isolation: detectIsolation, executable: () => undefined })
  await expect(toPdf(office, 'a.docx', makeDocx())).rejects.toMatchObject({ reason: 'noTool' })
})

test('folders of killed server processes are removed', async () => {
  const folder = tempFolder()
  for (const pid of [999_999_999, process.pid]) mkdirSync(join(folder, `office-${pid}-old`))
  const profile = await createOfficeProfile(folder, '/bin/true', 'none')
  expect(readdirSync(folder)).not.toContain('office-999999999-old')
  expect(readdirSync(folder)).toHaveLength(2)
  await profile.remove()
})

test('a file that does not exist is missing', async () => {
  const converter = openConverter({ workDir: tempFolder(), processes: 1 })
  const original = { path: '/nowhere/a.docx', ext: '.docx', size: 1 }
  await expect(converter.probe(original)).rejects.toMatchObject({ reason: 'missing' })
  await converter.close()
})

const folders: string[] = []

function tempFolderOfSuite(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wendou-test-'))
  folders.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function toPdf(office: Office, name: string, content: Uint8Array | string, timeoutMs = 30_000) {
  const original = writeTempFile(name, content)
  const folder = tempFolder()
  const { path } = await office.toPdf({ original, probe: await sniff(original), folder, limits: { timeoutMs } })
  const bytes = readFileSync(path)
  const document = Document.openDocument(bytes, 'application/pdf')
  const pages = document.countPages()
  const text = Array.from({ length: pages }, (_, page) => document.loadPage(page).toStructuredText('').asText()).join(
    '\n',
  )
  return { bytes, pages, text: text.replaceAll(/\s/g, ''), folder }
}

function hasPicture(pdf: Buffer): boolean {
  return /\/Subtype\s*\/Image/.test(pdf.toString('latin1'))
}

async function redSquare(): Promise<Buffer> {
  return sharp({ create: { width: 60, height: 60, channels: 3, background: '#c00' } })
    .png()
    .toBuffer()
}
