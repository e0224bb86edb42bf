import { DocumentStatus } from '#shared/document-status.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages } from '#shared/contract/catalog.ts'
import { settings } from '#shared/contract/settings.ts'
import { openSite, refusal, type Site } from '#server/testing/site.ts'
import { storeDocument } from '#server/testing/store-document.ts'
import { resolveLanguage } from './languages.service.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site.close())

test('visitors see enabled languages, ten at a time by default', async () => {
  const visitor = await site.call(languages.list, { enable: [false], size: 1000 })
  expect([visitor.total, visitor.language[0]?.code]).toEqual([8, 'zh-CN'])
  expect(visitor.language.every(({ enable }) => enable)).toBe(true)
  const manager = await site.staff('LanguageAPI/ListLanguage')
  const first = await manager.call(languages.list)
  expect([first.total > 100, first.language.length]).toEqual([true, 10])
  const rest = await manager.call(languages.list, { enable: [false], size: 1000 })
  expect([rest.total, rest.language.length]).toEqual([first.total - 8, first.total - 8])
  const matching = await manager.call(languages.list, { wd: 'MNI' })
  expect(matching.language.map(({ code }) => code)).toEqual(['mni-Mtei'])
})

test('changes to a language show in the settings of the site at once', async () => {
  const listEnabled = async () => (await site.call(settings.get)).language.map(({ language }) => language)
  const { id, code } = await site.root.call(languages.create, {
    language: '文言',
    code: 'lzh',
    enable: true,
    sort: 500,
  })
  expect((await listEnabled())[0]).toBe('文言')
  await site.root.call(languages.update, { id, language: '文言文', enable: true, sort: 500, code: 'xx' } as never)
  expect((await listEnabled())[0]).toBe('文言文')
  const row = await site.db.selectFrom('language').select('code').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ code })
  await site.root.call(languages.setStatus, { id: [id], enable: false })
  expect(await listEnabled()).not.toContain('文言文')
  await site.root.call(languages.setStatus, { id: [id], enable: true })
  expect(await listEnabled()).toContain('文言文')
  await site.root.call(languages.delete, { id: [id] })
  expect(await listEnabled()).not.toContain('文言文')
  expect(await refusal(site.root.call(languages.update, { id, language: '没有' }))).toMatchObject({ status: 404 })
})

test('a code is unique and well-formed', async () => {
  const taken = await refusal(site.root.call(languages.create, { language: '英语', code: 'en' }))
  expect(taken).toMatchObject({ status: 409, reason: 'languages.codeTaken' })
  for (const code of ['', 'x', '<b>', 'a'.repeat(20)])
    expect(await refusal(site.root.call(languages.create, { language: '英语', code }))).toMatchObject({ status: 400 })
})

test('managers see the number of public documents in each; deleting a language keeps the documents', async () => {
  const { id, code } = await site.root.call(languages.create, { language: '世界语二', code: 'eo-x2', enable: true })
  const visible = await storeDocument(site, { owner: site.root })
  const hidden = await storeDocument(site, { owner: site.root, status: DocumentStatus.InReview })
  const both = [visible.id, hidden.id]
  await site.db.updateTable('document').set({ language: code }).where('id', 'in', both).execute()
  const { language } = await site.root.call(languages.list, { wd: code })
  expect(language).toMatchObject([{ code, total: 1 }])
  await site.root.call(languages.delete, { id: [id] })
  const rows = await site.db.selectFrom('document').select('language').where('id', 'in', both).execute()
  expect(rows).toEqual([{ language: code }, { language: code }])
})

test('a language is resolved by its code or its name', async () => {
  const english = await site.db.selectFrom('language').selectAll().where('code', '=', 'en').executeTakeFirstOrThrow()
  expect(await resolveLanguage(site.db, 'en')).toBe('en')
  expect(await resolveLanguage(site.db, english.language)).toBe('en')
  expect(await resolveLanguage(site.db, '')).toBe('')
  await expect(resolveLanguage(site.db, '火星语')).rejects.toMatchObject({ reason: 'documents.languageUnknown' })
})
