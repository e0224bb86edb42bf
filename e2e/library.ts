import { setTimeout } from 'node:timers/promises'
import { contract } from '#shared/contract/contract.ts'
import { type Published, sender, type Sender } from './files.ts'
import { configure } from './owner.ts'
import type { RunningSite } from './running-site.ts'

/** A library with its people, as a journey finds it: members who may upload, categories, documents with pages. */

export interface Member extends Sender {
  username: string
  password: string
}

async function enter(site: RunningSite, who: { username: string; password: string }): Promise<Member> {
  return { ...who, ...(await sender(site.url, who)) }
}

/** The first administrator of a site that asks for no captcha. */
export async function openLibrary(site: RunningSite, password: string): Promise<Member> {
  await configure(site, { 'security.enable_captcha_login': 'false' })
  return enter(site, { username: 'admin', password })
}

export async function newMember(site: RunningSite, root: Member, username: string): Promise<Member> {
  const password = `password of ${username}`
  const { group } = await root.call(contract.groups.list)
  const group_id = group.filter(({ is_default }) => is_default).map(({ id }) => id)
  await root.call(contract.users.create, { username, password, group_id })
  return enter(site, { username, password })
}

/** Whether members may upload, and whether somebody looks at it before others do. */
export async function letUpload(root: Member, { reviewed }: { reviewed: boolean }): Promise<void> {
  const { group } = await root.call(contract.groups.list)
  const standard = group.find(({ is_default }) => is_default)
  if (standard)
    await root.call(contract.groups.update, { ...standard, enable_upload: true, enable_document_review: reviewed })
}

/** Gives the number of a new category. */
export async function addCategory(root: Member, title: string, parent_id = 0): Promise<number> {
  await root.call(contract.categories.create, { title, parent_id, type: 0, enable: true })
  const { category } = await root.call(contract.categories.list, { type: [0] })
  return category.find((one) => one.title === title && one.parent_id === parent_id)?.id ?? 0
}

interface Shelved {
  name: string
  bytes: Uint8Array
  price?: number
  category?: number[]
}

/** A document called after its file, in the first category unless told; its pages may still be coming. */
export async function publish(member: Member, { name, bytes, price = 0, category }: Shelved): Promise<Published> {
  const { id: attachment_id, refusal } = await member.upload(name, bytes)
  if (refusal) throw new Error(`${name}: ${refusal}`)
  const title = name.replace(/\.\w+$/, '')
  const { document } = await member.call(contract.documents.create, {
    category_id: category ?? (await firstCategory(member)),
    document: [{ title, attachment_id, price }],
  })
  const [made] = document
  if (!made) throw new Error(`${name} was not published`)
  return made
}

/** A document that is ready to be read, or has failed for good, or waits for nothing but a review. */
export async function shelve(site: RunningSite, member: Member, shelved: Shelved): Promise<Published> {
  const made = await publish(member, shelved)
  await ready(site, made.id)
  return made
}

async function ready({ db }: RunningSite, id: number): Promise<void> {
  const end = Date.now() + 60_000
  for (;;) {
    const row = await db
      .selectFrom('document')
      .innerJoin('rendition', 'rendition.hash', 'document.hash')
      .select(['rendition.state', 'rendition.pages', 'rendition.read_pages', 'document.status'])
      .where('document.id', '=', id)
      .executeTakeFirst()
    const isRead = row?.state === 'done' && row.read_pages >= row.pages
    if (row && (isRead || row.state === 'failed') && ![0, 1, 5].includes(row.status)) return
    if (Date.now() > end) throw new Error(`document ${id} is still under way: ${JSON.stringify(row)}`)
    await setTimeout(100)
  }
}

async function firstCategory({ call }: Member): Promise<number[]> {
  const { category } = await call(contract.categories.list, { type: [0] })
  return category.slice(0, 1).map(({ id }) => id)
}
