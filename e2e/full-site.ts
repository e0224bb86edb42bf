import { ContentType, OrderType, RecommendAction, VipCard } from '#shared/enums.ts'
import sharp from 'sharp'
import { makeEpub } from '#server/samples/books.ts'
import { makePdf } from '#server/samples/pdf.ts'
import { makeText } from '#server/samples/text.ts'
import { contract } from '#shared/contract/contract.ts'
import {
  addCategory,
  allowContributions,
  type Member,
  createMember,
  signInAsRoot,
  publish,
  waitUntilReady,
} from './site-setup.ts'
import { configure } from './owner.ts'
import type { RunningSite } from './running-site.ts'

/** A small site with content of every kind, for tests that visit all of its pages. */
export interface FullSite {
  root: Member
  /** Owns all documents and articles. */
  author: Member
  authorId: number
  category: number
  /** Paths of documents: free, priced, with a failed conversion, in review. */
  documents: { whole: string; priced: string; failed: string; waiting: string }
  article: string
  /** Each with the whole document in it. */
  collection: string
  topic: string
}

export async function buildFullSite(site: RunningSite): Promise<FullSite> {
  const root = await signInAsRoot(site, 'root password')
  const author = await createMember(site, root, '编书的人')
  const reader = await createMember(site, root, '读书的人')
  await allowArticlesAndComments(root)
  const logo = await uploadPicture(site, root, 'config', { width: 160, height: 48 })
  await configure(site, { ...settings, 'system.logo': logo })

  const category = await addCategory(root, '教育')
  const inner = await addCategory(root, '小学', category)
  await root.call(contract.categories.create, { title: '随笔', type: ContentType.Article, enable: true })
  await addBannersAndLinks(site, root)

  await allowContributions(root, { reviewed: false })
  const add = (name: string, bytes: Uint8Array, price = 0) =>
    publish(author, { name, bytes, price, category: [category, inner] })
  const whole = await add('识字课本.pdf', makePdf({ title: '识字课本', pages: 8 }))
  const priced = await add('算术习题.txt', Buffer.from(makeText(2)), 3)
  const book = await add('山谷的书.epub', makeEpub({ chapters: 2 }))
  const failed = await add('坏了的书.pdf', Buffer.from('%PDF-1.4\nnot more than that'))
  // The server converts one while the next is uploaded.
  await Promise.all([whole, priced, book, failed].map(({ id }) => waitUntilReady(site, id)))
  const article = await writeArticle(site, author)
  await allowContributions(root, { reviewed: true })
  const waiting = await publish(author, { name: '等着看的书.txt', bytes: Buffer.from(makeText(1)) })
  await root.call(contract.documents.recommend, { id: [whole.id, priced.id], type: RecommendAction.Recommend })

  await root.call(contract.articles.recommend, { article_id: [article.id], is_recommend: true })
  for (const [type, id] of [
    [ContentType.Document, whole.id],
    [ContentType.Article, article.id],
  ] as const)
    await exchangeComments([author, reader], { type, document_id: id })
  await author.call(contract.favorites.create, { document_id: whole.id })
  await author.call(contract.downloads.download, { id: whole.id })
  const item = [{ type: ContentType.Document, content_id: whole.id }]
  const collection = await author.call(contract.collections.create, { title: '开学读的书', item })
  const entries = [{ type: ContentType.Document, id: whole.id, note: '从这里读起' }]
  const topic = await root.call(contract.topics.create, { title: '识字', enable: true, entries })

  const { id: authorId } = await author.call(contract.users.get)
  await addOrders(root, author, authorId)
  const address = ({ uuid }: { uuid: string }) => `/document/${uuid}`
  return {
    root,
    author,
    authorId,
    category,
    documents: {
      whole: address(whole),
      priced: address(priced),
      failed: address(failed),
      waiting: address(waiting),
    },
    article: `/article/${article.identifier}`,
    collection: `/collection/${collection.uuid}`,
    topic: `/topic/${topic.id}`,
  }
}

const settings = {
  'security.comment_interval': '0',
  'security.enable_captcha_comment': 'false',
  'system.recommend_words': '["课本","算术"]',
  'system.icp': '京ICP备00000000号',
  'system.sec_icp': '京公网安备00000000000000号',
}

/** Members' articles and comments are published without review. */
async function allowArticlesAndComments(root: Member): Promise<void> {
  const { group } = await root.call(contract.groups.list)
  const standard = group.find(({ is_default }) => is_default)
  if (!standard) throw new Error('no default group')
  const rights = { enable_article: true, enable_article_approval: false, enable_comment_approval: false }
  await root.call(contract.groups.update, { ...standard, ...rights })
}

/** Banners, links, navigation and advertisements. */
async function addBannersAndLinks(site: RunningSite, root: Member): Promise<void> {
  const { call } = root
  const path = await uploadPicture(site, root, 'banner', { width: 1200, height: 400 })
  await call(contract.banners.create, { title: '新学期', path, url: '/category', description: '开学了', enable: true })
  await call(contract.friendlinks.create, { title: '邻居的站', link: 'https://example.com', enable: true })
  const parent = await call(contract.navigations.create, { title: '专题', href: '/article', enable: true })
  const child = { title: '小学专题', href: '/category', parent_id: parent.id, color: '#b42318', enable: true }
  await call(contract.navigations.create, child)
  for (const position of ['global_bottom', 'index_banner_bottom', 'document_top', 'search_right'])
    await call(contract.advertisements.create, { position, content: '<p>文具八折</p>', enable: true })
}

async function writeArticle(site: RunningSite, author: Member) {
  const picture = await uploadPicture(site, author, 'article', { width: 320, height: 200 })
  const { category } = await author.call(contract.categories.list, { type: [ContentType.Article] })
  return author.call(contract.articles.create, {
    title: '教书的一天',
    keywords: '课堂,算术',
    category_id: category.slice(0, 1).map(({ id }) => id),
    content: [
      '<p>早上八点，第一节是<strong>算术</strong>。</p><h2>算式</h2>',
      '<p>一共 <span data-type="inline-math" data-latex="60 + 40"></span> 米：</p>',
      '<div data-type="block-math" data-latex="t = \\frac{1200}{60 + 40}"></div>',
      '<h2>程序</h2><pre><code class="language-js">const minutes = 1200 / (60 + 40)</code></pre>',
      '<table><tbody><tr><th><p>节</p></th><th><p>课</p></th></tr><tr><td><p>一</p></td><td><p>算术</p></td></tr></tbody></table>',
      '<h3>明天</h3><ul data-type="taskList"><li data-type="taskItem" data-checked="true"><div><p>批作业</p></div></li></ul>',
      `<p><img src="${picture}" alt="黑板" /></p><blockquote><p>学而时习之。</p></blockquote>`,
      '<p><a href="/category">更多资料</a></p>',
    ].join(''),
  })
}

/** One that staff settled, one that waits for a payment, and a VIP card. */
async function addOrders(root: Member, buyer: Member, user_id: number): Promise<void> {
  await root.call(contract.orders.systemTopUp, { user_id, amount: 50, remark: '奖励' })
  await buyer.call(contract.orders.create, { order_type: OrderType.TopUp, quantity: 100 })
  await root.call(contract.vip.grant, { user_id, type: VipCard.Month, reason: '感谢投稿' })
}

async function exchangeComments(people: Member[], about: { type: ContentType; document_id: number }): Promise<void> {
  let parent_id = 0
  for (const { call, username } of people) {
    const { id } = await call(contract.comments.create, { ...about, parent_id, content: `${username}：看过了。` })
    parent_id = id
  }
}

/** Gives the path of the picture. */
async function uploadPicture(
  site: RunningSite,
  { token }: Pick<Member, 'token'>,
  place: string,
  size: { width: number; height: number },
): Promise<string> {
  const bytes = await sharp({ create: { ...size, channels: 3, background: '#336655' } })
    .png()
    .toBuffer()
  const body = new FormData()
  body.append('file', new File([Uint8Array.from(bytes)], 'picture.png', { type: 'image/png' }))
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${site.url}/api/v1/upload/${place}`, { method: 'POST', headers, body })
  // Uploads for articles answer in the format of the editor.
  const { data, message } = (await response.json()) as { data?: { path?: string; url?: string }; message?: string }
  const address = data?.path ?? data?.url
  if (!address) throw new Error(`${place}: ${message}`)
  return address
}
