import { isConverting } from '#shared/document-status.ts'
import { ContentType } from '#shared/enums.ts'
import { setTimeout } from 'node:timers/promises'
import { contract } from '#shared/contract/contract.ts'
import { type PublishedDocument, createUploadClient, type UploadClient } from './upload-client.ts'
import { configure } from './owner.ts'
import type { RunningSite } from './running-site.ts'

/** Sets up a running site for a test: members who may upload, categories, converted documents. */

export interface Member extends UploadClient {
  username: string
  password: string
}

export async function signIn(site: RunningSite, who: { username: string; password: string }): Promise<Member> {
  return { ...who, ...(await createUploadClient(site.url, who)) }
}

/** Switches the login captcha off and signs in the first administrator. */
export async function signInAsRoot(site: RunningSite, password: string): Promise<Member> {
  await configure(site, { 'security.enable_captcha_login': 'false' })
  return signIn(site, { username: 'admin', password })
}

/** The password counts as chosen by its user: one that another person typed has to be changed first. */
export async function keepPassword({ db }: Pick<RunningSite, 'db'>, username: string): Promise<void> {
  await db.updateTable('user').set({ must_change_password: 0 }).where('username', '=', username).execute()
}

export async function createMember(site: RunningSite, root: Member, username: string): Promise<Member> {
  const password = `password of ${username}`
  const { group } = await root.call(contract.groups.list)
  const group_id = group.filter(({ is_default }) => is_default).map(({ id }) => id)
  await root.call(contract.users.create, { username, password, group_id })
  await keepPassword(site, username)
  return signIn(site, { username, password })
}

/** Lets members upload documents and publish articles, with or without review. */
export async function allowContributions(root: Member, { reviewed }: { reviewed: boolean }): Promise<void> {
  const { group } = await root.call(contract.groups.list)
  const standard = group.find(({ is_default }) => is_default)
  if (standard)
    await root.call(contract.groups.update, {
      ...standard,
      enable_upload: true,
      enable_document_review: reviewed,
      enable_article: true,
      enable_article_approval: reviewed,
    })
}

/** Gives the id of the new category. */
export async function addCategory(root: Member, title: string, parent_id = 0): Promise<number> {
  await root.call(contract.categories.create, { title, parent_id, type: ContentType.Document, enable: true })
  const { category } = await root.call(contract.categories.list, { type: [ContentType.Document] })
  return category.find((row) => row.title === title && row.parent_id === parent_id)?.id ?? 0
}

interface PublishInput {
  name: string
  bytes: Uint8Array
  price?: number
  category?: number[]
}

/** A document named after its file, by default in the first category; its conversion may still be running. */
export async function publish(
  member: Member,
  { name, bytes, price = 0, category }: PublishInput,
): Promise<PublishedDocument> {
  const { id: attachment_id, refusal } = await member.upload(name, bytes)
  if (refusal) throw new Error(`${name}: ${refusal}`)
  const title = name.replace(/\.\w+$/, '')
  const { document } = await member.call(contract.documents.create, {
    category_id: category ?? (await firstCategory(member)),
    document: [{ title, attachment_id, price }],
  })
  const [published] = document
  if (!published) throw new Error(`${name} was not published`)
  return published
}

/** Publishes, and waits until conversion and text extraction have ended. */
export async function publishAndWait(
  site: RunningSite,
  member: Member,
  input: PublishInput,
): Promise<PublishedDocument> {
  const published = await publish(member, input)
  await waitUntilReady(site, published.id)
  return published
}

/** Waits until conversion and text extraction have ended. */
export async function waitUntilReady({ db }: RunningSite, id: number): Promise<void> {
  const end = Date.now() + 60_000
  for (;;) {
    const row = await db
      .selectFrom('document')
      .innerJoin('rendition', 'rendition.hash', 'document.hash')
      .select(['rendition.state', 'rendition.pages', 'rendition.text_pages', 'document.status'])
      .where('document.id', '=', id)
      .executeTakeFirst()
    const isDone = row?.state === 'done' && row.text_pages >= row.pages
    if (row && (isDone || row.state === 'failed') && !isConverting(row)) return
    if (Date.now() > end) throw new Error(`document ${id} is still under way: ${JSON.stringify(row)}`)
    await setTimeout(100)
  }
}

async function firstCategory({ call }: Member): Promise<number[]> {
  const { category } = await call(contract.categories.list, { type: [ContentType.Document] })
  return category.slice(0, 1).map(({ id }) => id)
}
