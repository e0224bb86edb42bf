import { AttachmentType, Punishment } from '#shared/enums.ts'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { punishments } from '#shared/contract/access.ts'
import { attachments } from '#shared/contract/attachments.ts'
import { openSite, type Person, type Site } from '#server/testing/site.ts'
import { sha256, tinyPdf, uploadForm } from '#server/testing/upload.ts'
import { contentKey } from '../storage-keys.ts'
import { storeContent } from '../attachments.store.ts'

let site: Site
let member: Person
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-upload-'))
  site = await openSite({ DATA_DIR: folder })
  member = await site.member()
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true, force: true })
})

const upload = (name: string, bytes: Uint8Array<ArrayBuffer>, person = member) =>
  uploadForm(site, person, { name, bytes })
const listTemporaryFiles = () => readdirSync(join(folder, 'tmp'))

function findRow(id: number) {
  return site.db.selectFrom('attachment').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function keptFiles(): Promise<string[]> {
  const { storage } = await site.app.context()
  const keys: string[] = []
  for await (const { key } of storage.list('files/')) keys.push(key)
  return keys
}

test('a file is stored by its hash, with its name in the database', async () => {
  const bytes = tinyPdf('年度报告')
  const { status, id } = await upload('2026 年度报告（终稿）.pdf', bytes)
  expect(status).toBe(200)
  expect(await findRow(id)).toMatchObject({
    name: '2026 年度报告（终稿）.pdf',
    ext: '.pdf',
    size: bytes.length,
    hash: sha256(bytes),
    user_id: member.id,
    type: AttachmentType.Document,
    type_id: 0,
    path: '',
  })
  const ctx = await site.app.context()
  expect(await ctx.storage.find(contentKey(sha256(bytes)))).toMatchObject({ size: bytes.length })
  expect(listTemporaryFiles()).toEqual([])
})

describe('names', () => {
  test.each([
    ['../../etc/报告.pdf', '报告.pdf'],
    ['坏\u202e名字\u200f.PDF', '坏名字.PDF'],
    ['😀 笑.pdf', '😀 笑.pdf'],
    [`${'长'.repeat(300)}.pdf`, `${'长'.repeat(83)}.pdf`],
    ['<script>alert(1)</script>.pdf', 'script>.pdf'],
  ])('%j is stored as %j', async (sent, expected) => {
    const { id } = await upload(sent, tinyPdf(sent))
    expect((await findRow(id)).name).toBe(expected)
  })

  test('a name needs more than an extension', async () => {
    expect(await upload('', tinyPdf('x'))).toMatchObject({ status: 400 })
    expect(await upload('pdf', tinyPdf('x'))).toMatchObject({ status: 400, reason: 'uploads.extDenied' })
  })
})

describe('refused are', () => {
  test('empty files, files with the wrong extension, and unsupported formats', async () => {
    expect(await upload('空.pdf', new Uint8Array())).toMatchObject({ status: 400, reason: 'uploads.empty' })
    const text = new Uint8Array(Buffer.from('只是一些文字'))
    expect(await upload('假的.pdf', text)).toMatchObject({ status: 400, reason: 'uploads.mismatch' })
    expect(await upload('假的.docx', tinyPdf('x'))).toMatchObject({ status: 400, reason: 'uploads.mismatch' })
    expect(await upload('程序.exe', text)).toMatchObject({ status: 400, reason: 'uploads.extDenied' })
    expect(await upload('文档.pdf.exe', tinyPdf('x'))).toMatchObject({ status: 400, reason: 'uploads.extDenied' })
    expect(await upload('网页.html', text)).toMatchObject({ status: 400, reason: 'uploads.extDenied' })
    expect(await upload('图.svg', text)).toMatchObject({ status: 400, reason: 'uploads.extDenied' })
    expect(listTemporaryFiles()).toEqual([])
  })

  test('but not a text of one byte', async () => {
    expect(await upload('一.txt', new Uint8Array([65]))).toMatchObject({ status: 200 })
  })

  test('formats that the owner has not allowed', async () => {
    await site.configure({ 'security.document_allowed_ext': 'docx, .TXT' })
    expect(await upload('a.pdf', tinyPdf('a'))).toMatchObject({ status: 400, message: '不支持上传 .pdf 文件' })
    expect(await upload('a.txt', new Uint8Array([66]))).toMatchObject({ status: 200 })
    await site.configure({ 'security.document_allowed_ext': '' })
  })

  test('members without the right to upload', async () => {
    const visitor = await uploadForm(site, { token: '' }, { name: 'a.pdf', bytes: tinyPdf('a') })
    expect(visitor).toMatchObject({ status: 401, message: '请先登录' })
    const punished = await site.member()
    await site.root.call(punishments.create, { user_id: [punished.id], type: [Punishment.NoUpload], enable: true })
    expect(await upload('a.pdf', tinyPdf('a'), punished)).toMatchObject({ status: 403, reason: 'punishments.active' })
    const outsider = await site.staff('UserAPI/ListUser')
    expect(await upload('a.pdf', tinyPdf('a'), outsider)).toMatchObject({ status: 403, reason: 'users.uploadDenied' })
  })

  test('requests without a form or a file, or that are cut off', async () => {
    const headers = { authorization: `Bearer ${member.token}` }
    const send = (type: string, body: string) =>
      site.request('/api/v1/upload/document', { method: 'POST', headers: { ...headers, 'content-type': type }, body })
    for (const [type, body] of [
      ['application/json', '{}'],
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'],
      [
        'multipart/form-data; boundary=b',
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF',
      ],
      ['multipart/form-data; boundary=b', ''],
    ] as const) {
      const response = await send(type, body)
      expect(response.status, body).toBe(400)
      expect(await response.json()).toMatchObject({ code: 3, reason: 'uploads.noFile', error: expect.any(String) })
    }
    expect(listTemporaryFiles()).toEqual([])
  })
})

describe('size', () => {
  test('a file of exactly the limit is accepted; a larger one is refused, whatever length is declared', async () => {
    await site.configure({ 'security.max_document_size': '1' })
    const limit = 1024 * 1024
    expect(await upload('满.txt', new Uint8Array(limit).fill(97))).toMatchObject({ status: 200 })
    expect(await upload('多.txt', new Uint8Array(limit + 1).fill(97))).toMatchObject({
      status: 413,
      message: '文件过大，最大 1.00 MB',
    })
    expect(listTemporaryFiles()).toEqual([])
  })

  test('an endless body is cut off at the limit', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        controller.enqueue(Buffer.from(head))
      },
      async pull(controller) {
        await setImmediate()
        controller.enqueue(new Uint8Array(64 * 1024).fill(97))
        sent += 64 * 1024
      },
    })
    const headers = { authorization: `Bearer ${member.token}`, 'content-type': 'multipart/form-data; boundary=b' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const response = await site.request('/api/v1/upload/document', init)
    expect(response.status).toBe(413)
    expect(sent).toBeLessThan(3 * 1024 * 1024)
    expect(listTemporaryFiles()).toEqual([])
    await site.configure({ 'security.max_document_size': '50' })
  })

  test('an aborted request leaves nothing behind', async () => {
    let chunks = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await setImmediate()
        chunks += 1
        const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        if (chunks === 1) controller.enqueue(Buffer.from(head))
        else if (chunks < 10) controller.enqueue(new Uint8Array(64 * 1024))
        else controller.error(new Error('gone'))
      },
    })
    const headers = { authorization: `Bearer ${member.token}`, 'content-type': 'multipart/form-data; boundary=b' }
    await site.request('/api/v1/upload/document', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
    expect(listTemporaryFiles()).toEqual([])
  })
})

describe('the same file', () => {
  test('of ten concurrent uploads is stored once', async () => {
    const bytes = tinyPdf('大家都有')
    const before = (await keptFiles()).length
    const members = await Promise.all(Array.from({ length: 10 }, () => site.member()))
    const answers = await Promise.all(members.map((person, at) => upload(`名字${at}.pdf`, bytes, person)))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(10)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect((await keptFiles()).length).toBe(before + 1)
  })

  test('is refused while it is banned', async () => {
    const bytes = tinyPdf('不许有')
    const { id } = await upload('一.pdf', bytes)
    await site.root.call(attachments.update, { id, name: '一.pdf', enable: false, description: '侵权' })
    expect(await upload('二.pdf', bytes)).toMatchObject({ status: 403, reason: 'uploads.banned' })
    expect(await upload('二.pdf', bytes, await site.member())).toMatchObject({ status: 403 })
    await site.root.call(attachments.update, { id, name: '一.pdf', enable: true })
    expect(await upload('二.pdf', bytes)).toMatchObject({ status: 200 })
  })
})

test('of fifty files with three bad ones forty-seven are accepted, and the three get a reason', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => {
      if (at === 7) return upload('空.pdf', new Uint8Array())
      if (at === 20) return upload('假.pdf', new Uint8Array([1, 2, 3]))
      if (at === 33) return upload('程序.exe', new Uint8Array([1]))
      return upload(`${at}.pdf`, tinyPdf(`batch ${at}`))
    }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(47)
  expect([7, 20, 33].map((at) => answers[at]?.reason)).toEqual([
    'uploads.empty',
    'uploads.mismatch',
    'uploads.extDenied',
  ])
})

test('the daily quota is never exceeded, also by concurrent uploads', async () => {
  await site.configure({ 'security.upload_count_every_day': '5' })
  const person = await site.member()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) => upload(`${at}.pdf`, tinyPdf(`quota ${at}`), person)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(answers.find(({ status }) => status !== 200)).toMatchObject({ status: 429, reason: 'uploads.quotaCount' })
  await site.configure({ 'security.upload_count_every_day': '0', 'security.upload_size_every_day': '1' })
  const second = await site.member()
  const half = new Uint8Array(600 * 1024).fill(98)
  expect(await upload('a.txt', half, second)).toMatchObject({ status: 200 })
  expect(await upload('b.txt', half, second)).toMatchObject({ status: 429, reason: 'uploads.quotaSize' })
  expect(await upload('c.txt', new Uint8Array([99]), second)).toMatchObject({ status: 200 })
  await site.configure({ 'security.upload_size_every_day': '0' })
})

describe('a full disk', () => {
  test('is reported, and nothing is recorded', async () => {
    const ctx = await site.app.context()
    const full = async () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    const content = { hash: 'f'.repeat(64), size: 3, path: join(folder, 'nothing') }
    const storage = { ...ctx.storage, moveIn: full }
    await expect(storeContent({ ...ctx, storage }, content)).rejects.toMatchObject({
      status: 507,
      reason: 'uploads.diskFull',
    })
    const rows = await site.db.selectFrom('attachment').select('id').where('hash', '=', content.hash).execute()
    expect(rows).toEqual([])
  })

  test.skipIf(!mayMount())('during an upload leaves nothing behind, and later uploads succeed', async () => {
    const mountPoint = mkdtempSync(join(tmpdir(), 'wendou-small-'))
    run('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', mountPoint)
    const tight = await openSite({ DATA_DIR: mountPoint })
    try {
      const person = await tight.member()
      const large = new Uint8Array(4 * 1024 * 1024).fill(97)
      const refused = await uploadForm(tight, person, { name: '大.txt', bytes: large })
      expect(refused).toMatchObject({ status: 507, message: '服务器空间不足，请稍后再试或联系管理员' })
      expect(await tight.db.selectFrom('attachment').select('id').execute()).toEqual([])
      expect(readdirSync(join(mountPoint, 'tmp'))).toEqual([])
      const small = await uploadForm(tight, person, { name: '小.txt', bytes: large.slice(0, 1000) })
      expect(small.status).toBe(200)
    } finally {
      await tight.close()
      run('umount', mountPoint)
      rmSync(mountPoint, { recursive: true, force: true })
    }
  })
})

function mayMount(): boolean {
  const mountPoint = mkdtempSync(join(tmpdir(), 'wendou-mount-'))
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mountPoint)
    run('umount', mountPoint)
    return true
  } catch {
    return false
  } finally {
    rmSync(mountPoint, { recursive: true, force: true })
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' })
}
