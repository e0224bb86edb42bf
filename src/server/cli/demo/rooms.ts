import { ApiError, errors } from '#shared/errors.ts'
import { ContentType } from '#shared/enums.ts'
import { collections } from '#shared/contract/collections.ts'
import { favorites } from '#shared/contract/favorites.ts'
import { reading } from '#shared/contract/reading.ts'
import { topics } from '#shared/contract/topics.ts'
import type { Person } from '../person.ts'

/** What people have made of the demo's documents: topics, collections, what is read and kept. So no room of the site is empty. */

const demoTopics: readonly { title: string; summary: string; entries: Record<string, string> }[] = [
  {
    title: '从阳台到餐桌',
    summary: '先种，再采，最后包进饺子里：一年四季的小菜园和厨房。',
    entries: {
      '阳台种菜入门.pdf': '从配土开始，先读这一份。',
      '四季播种时间表.xlsx': '什么时候种什么，贴在墙上。',
      '一家人的饺子.docx': '菜收下来以后。',
      '病虫害识别手记.doc': '叶子不对劲时再翻。',
      '厨房采购清单.xls': '',
    },
  },
  {
    title: '写给会写代码的人',
    summary: '测试、评审、发布：把软件交给别人之前要做的事。',
    entries: {
      '工程与生活文集.pdf': '长文，适合周末。',
      '怎样评审测试.pptx': '十分钟看完。',
      '写给同事的测试指南.docx': '团队里人人读过的一份。',
      '发布前检查清单.odp': '上线那天用。',
    },
  },
  {
    title: '一节课是怎样备成的',
    summary: '教案、课件、练习和听课记录，同一个课题的四份材料。',
    entries: {
      '相遇问题课堂演示.pptx': '课件，与教案配套。',
      '相遇问题教案.docx': '从线段图讲起。',
      '行程问题练习与讲评.pdf': '练习和常见错误。',
      '公开课听课记录.odt': '课后的讨论。',
    },
  },
]

const demoCollections: readonly { owner: string; title: string; description: string; items: readonly string[] }[] = [
  {
    owner: '许知行',
    title: '周末走一走',
    description: '出门前读的几份，带在手机上。',
    items: ['河岸步道指南.pdf', '步道行前说明.docx', '徒步装备对照表.csv'],
  },
  {
    owner: '何青禾',
    title: '厨房里的书架',
    description: '做饭时翻得最多的。',
    items: ['一家人的饺子.docx', '饺子的包法.ppt', '面点笔记.txt'],
  },
  {
    owner: '周以宁',
    title: '新同事的第一周',
    description: '入职先看这些，有不懂的来问我。',
    items: ['写给同事的测试指南.docx', '发布前检查清单.odp', '接口耗时统计.csv'],
  },
  {
    owner: '林晚舟',
    title: '汇报怎么写',
    description: '图书馆的报告和演示，可以照着改。',
    items: ['图书馆季度工作报告（定稿）.pdf', '季度汇报演示.pptx', '到馆人次统计.xlsx'],
  },
]

/** How many visitors look at a document: the first are the most read. */
const demoReads: Record<string, number> = {
  '河岸步道指南.pdf': 5,
  '阳台种菜入门.pdf': 5,
  '相遇问题课堂演示.pptx': 4,
  '一家人的饺子.docx': 4,
  '写给同事的测试指南.docx': 4,
  '季度汇报演示.pptx': 4,
}

/** The documents that members have begun, and how many of them. */
const demoPlaces: Record<string, number> = {
  '工程与生活文集.pdf': 3,
  '测试指南（帮助文件）.chm': 3,
  '河岸步道指南（电子书）.epub': 3,
  '测试指南（电子书）.epub': 2,
  '种菜笔记.umd': 2,
  '图书馆季度工作报告（定稿）.pdf': 2,
}

/** The name of a browser: what scripts look at is not counted. */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'

interface Readers {
  root: Person
  members: Map<string, Person>
  /** Documents that can be read, by title and extension. */
  readable: Map<string, { id: number; uuid: string; author: string }>
}

/** Fills the rooms and gives the numbers of topics and collections. What an interrupted run has made is not made again. */
export async function furnish(site: Readers): Promise<{ topics: number; collections: number }> {
  const made = { topics: await makeTopics(site), collections: await makeCollections(site) }
  for (const [name, count] of Object.entries(demoReads)) await read(site, name, count)
  for (const [name, count] of Object.entries(demoPlaces)) await keepPlaces(site, name, count)
  return made
}

async function makeTopics({ root, readable }: Readers): Promise<number> {
  const { topic } = await root.call(topics.list)
  const known = new Set(topic.map(({ title }) => title))
  // The newest topic stands first.
  for (const { title, summary, entries } of demoTopics.toReversed()) {
    const found = Object.entries(entries).flatMap(([name, note]) => {
      const document = readable.get(name)
      return document ? [{ type: ContentType.Document, id: document.id, note }] : []
    })
    if (found.length > 0 && !known.has(title))
      await root.call(topics.create, { title, summary, entries: found, enable: true })
  }
  return (await root.call(topics.list)).total
}

async function makeCollections({ members, readable }: Readers): Promise<number> {
  let count = 0
  for (const { owner, title, description, items } of demoCollections) {
    const member = members.get(owner)
    const item = items.flatMap((name) => {
      const document = readable.get(name)
      return document ? [{ type: ContentType.Document, content_id: document.id }] : []
    })
    if (!member || item.length === 0) continue
    const { collection } = await member.call(collections.own)
    if (!collection.some((own) => own.title === title))
      await member.call(collections.create, { title, description, item })
    count += 1
  }
  return count
}

/** The first members keep it too. */
async function read({ root, members, readable }: Readers, name: string, count: number): Promise<void> {
  const document = readable.get(name)
  if (!document) return
  const others = [...members].filter(([username]) => username !== document.author).map(([, member]) => member)
  const author = members.get(document.author)
  const readers = [...others, root, ...(author ? [author] : [])].slice(0, count)
  for (const reader of readers)
    await reader.send(`/api/v1/document?id=${document.id}&with_author=true`, { headers: { 'user-agent': userAgent } })
  for (const { call } of others.slice(0, count - 2)) await keep(call, document.id)
}

async function keep(call: Person['call'], document_id: number): Promise<void> {
  await call(favorites.create, { document_id }).catch((error: unknown) => {
    // By an interrupted run.
    if (!(error instanceof ApiError && error.reason === errors.favorites.twice().reason)) throw error
  })
}

async function keepPlaces({ members, readable }: Readers, name: string, count: number): Promise<void> {
  const document = readable.get(name)
  if (!document) return
  const others = [...members].filter(([username]) => username !== document.author).slice(0, count)
  for (const [, { call }] of others)
    await call(reading.save, { place: [{ uuid: document.uuid, page: 2, read_at: Date.now() }] })
}
