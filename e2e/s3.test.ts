import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentRecycle } from '#shared/contract/documents.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeDocx } from '#server/samples/word.ts'
import { openStorage } from '#server/storage/open.ts'
import type { Storage } from '#server/storage/storage.ts'
import { waitForPath, expectNoPageErrors, openBrowser, openWindow, visit } from './browser.ts'
import { type Bucket, startBucket } from './bucket.ts'
import { createUploadClient } from './upload-client.ts'
import { configure } from './owner.ts'
import { signInAs } from './person.ts'
import { type RunningSite, startSite } from './running-site.ts'

/** The life of a document on a site with PostgreSQL and S3 storage. */

const owner = { username: 'admin', password: 'owner password' }

let browser: Browser
let bucket: Bucket
let storage: Storage
let site: RunningSite
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wendou-s3-'))
  browser = await openBrowser()
  bucket = await startBucket()
  storage = await openStorage(bucket.url, { dataDir: folder })
  site = await startSite('postgres', { ADMIN_PASSWORD: owner.password, STORAGE_URL: bucket.url })
  await configure(site, { 'security.enable_captcha_login': 'false', 'security.attachment_retention_minute': '0' })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
  await storage.close()
  await bucket.close()
  rmSync(folder, { recursive: true })
})

test('a document is uploaded, read, downloaded, deleted and gone for good', async () => {
  const files = {
    '年度报告.pdf': makePdf({ title: '年度报告', pages: 5 }),
    '说明.docx': makeDocx({ title: '使用说明' }),
  }
  const paths = Object.entries(files).map(([name, bytes]) => {
    writeFileSync(join(folder, name), bytes)
    return join(folder, name)
  })
  const page = await openWindow(browser, site.url, { acceptDownloads: true })
  await signInAs(page, site, owner)
  await visit(page, '/upload')
  await page.locator('input[type=file]').setInputFiles(paths)
  await page.getByLabel('已获得作者授权').check()
  await page.getByRole('button', { name: '开始上传 2 个' }).click()
  await page.getByText('已发布 2 个').last().waitFor({ timeout: 60_000 })
  await page.getByText('已发布 · 5 页').waitFor({ timeout: 60_000 })
  await page.getByText('已发布 · 1 页').waitFor({ timeout: 60_000 })
  expect((await listKeys('files/')).length).toBe(2)
  expect((await listKeys('renditions/')).length).toBeGreaterThan(2)

  const rows = await site.db.selectFrom('document').select(['uuid', 'title', 'ext']).orderBy('id').execute()
  expect(rows.map(({ title, ext }) => title + ext).toSorted()).toEqual(Object.keys(files).toSorted())
  for (const { uuid, title, ext } of rows) {
    await visit(page, `/document/${uuid}`)
    const first = page.locator('figure[data-page="1"]')
    await expect
      .poll(() => first.textContent(), { timeout: 15_000 })
      .toContain(ext === '.pdf' ? '年度报告' : '使用说明')
    await page.getByRole('button', { name: /^下载文档/ }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('dialog').getByRole('button', { name: '下载', exact: true }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe(`${title}${ext}`)
    const bytes = readFileSync(await download.path())
    expect(bytes.equals(Buffer.from(files[`${title}${ext}` as keyof typeof files]))).toBe(true)
    await page.getByRole('button', { name: '删除' }).click()
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: '删除' }).click()
    await waitForPath(page, '/me/document')
  }
  expectNoPageErrors(page)

  const uploader = await createUploadClient(site.url, owner)
  await uploader.call(documentRecycle.empty, {})
  expect((await listKeys('files/')).length).toBe(2)
  await ageFiles()
  await expect.poll(() => listKeys(''), { timeout: 60_000, interval: 500 }).toEqual([])
  expect(await site.db.selectFrom('rendition').select('hash').execute()).toEqual([])
}, 180_000)

async function listKeys(prefix: string): Promise<string[]> {
  const found = await Array.fromAsync(storage.list(prefix))
  return found.map(({ key }) => key)
}

/** As if the unused files had waited for the hours after which the next sweep removes them. */
async function ageFiles(): Promise<void> {
  const before = Date.now() - 3 * 60 * 60_000
  await site.db.updateTable('stored_file').set({ last_used_at: before }).execute()
  await site.db.updateTable('revision').set({ value: 0 }).where('name', '=', 'schedule:attachments.sweep').execute()
}
