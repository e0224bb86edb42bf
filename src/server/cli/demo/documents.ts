import type { TopicName } from './prose.ts'
import type { TableName } from './tables.ts'

/** The content of the demo. */

export interface DemoDocument {
  title: string
  ext: string
  description: string
  /** A category's path, root first. */
  category: readonly [string, string]
  author: string
  /** What it is about: texts, and which of their chapters; or a table. */
  about: readonly TopicName[] | TableName
  chapters?: readonly number[]
  price?: number
  language?: string
  recommended?: true
}

export const demoMembers: readonly { username: string; signature: string }[] = [
  { username: '林晚舟', signature: '小学数学教师，也替图书馆写报告' },
  { username: '周以宁', signature: '写代码，也写怎样写代码' },
  { username: '何青禾', signature: '阳台上有六个花箱' },
  { username: '许知行', signature: '走过的路都记下来' },
]

export const demoNames = demoMembers.map(({ username }) => username)

export const demoCategories: Record<string, { description: string; children: readonly string[] }> = {
  教育: { description: '教案、习题和课堂笔记', children: ['小学', '中学', '大学'] },
  技术: { description: '编程、运维与工程实践', children: ['编程', '运维', '工程'] },
  生活: { description: '种植、烹饪和旅行', children: ['园艺', '美食', '旅行'] },
  办公: { description: '报告、表格与演示', children: ['报告', '表格', '演示'] },
}

const primary = { category: ['教育', '小学'], author: '林晚舟', about: ['lesson'] } as const
const middle = { category: ['教育', '中学'], author: '许知行', about: ['lesson'] } as const
const college = { category: ['教育', '大学'], author: '何青禾' } as const
const coding = { category: ['技术', '编程'], author: '周以宁', about: ['software'] } as const
const running = { category: ['技术', '运维'], author: '周以宁' } as const
const building = { category: ['技术', '工程'], author: '周以宁' } as const
const planting = { category: ['生活', '园艺'], author: '何青禾', about: ['garden'] } as const
const kitchen = { category: ['生活', '美食'], author: '何青禾', about: ['cooking'] } as const
const travel = { category: ['生活', '旅行'], author: '许知行', about: ['walking'] } as const
const reports = { category: ['办公', '报告'], author: '林晚舟', about: ['report'] } as const
const sheets = { category: ['办公', '表格'], author: '林晚舟' } as const
const talks = { category: ['办公', '演示'], author: '林晚舟' } as const

export const demoDocuments: readonly DemoDocument[] = [
  {
    ...primary,
    title: '相遇问题教案',
    ext: '.docx',
    description: '四年级数学，一课时，附线段图的讲法',
    recommended: true,
  },
  { ...primary, title: '相遇问题课堂演示', ext: '.pptx', description: '与教案配套的课件', recommended: true },
  { ...primary, title: '行程问题练习与讲评', ext: '.pdf', description: '例题、练习和常见错误', price: 3 },
  { ...middle, title: '公开课听课记录', ext: '.odt', description: '听课笔记与课后讨论', chapters: [1, 2, 4] },
  { ...middle, title: '说课稿：从走路讲起', ext: '.rtf', description: '十分钟说课稿', chapters: [1, 3, 5] },
  { ...middle, title: '班级成绩登记表', ext: '.xlsx', about: 'marks', description: '四门课，十六人，带总分' },
  {
    ...college,
    title: '教学法讲义',
    ext: '.txt',
    about: ['lesson', 'report'],
    description: '纯文本讲义，手机上也好读',
  },
  {
    ...college,
    title: 'A Short Guide to Reading Groups',
    ext: '.docx',
    about: ['club'],
    description: 'How to start one, and how to keep it alive',
    language: 'en',
  },
  {
    ...college,
    title: 'Reading Groups, a Talk',
    ext: '.ppsx',
    about: ['club'],
    description: 'Four slides',
    language: 'en',
  },
  {
    ...coding,
    title: '写给同事的测试指南',
    ext: '.docx',
    description: '为什么写、怎么写、怎样写得快',
    price: 5,
    recommended: true,
  },
  { ...coding, title: '测试指南（电子书）', ext: '.epub', description: '同名指南的电子书版', recommended: true },
  { ...coding, title: '测试指南（手机版）', ext: '.mobi', description: '适合小屏幕' },
  { ...coding, title: '测试指南（阅读器版）', ext: '.azw3', description: '下载后在阅读器上打开' },
  { ...coding, title: '测试指南（帮助文件）', ext: '.chm', description: '每章一页，带目录', recommended: true },
  { ...coding, title: '怎样评审测试', ext: '.pptx', description: '内部分享', chapters: [1, 2, 5] },
  {
    ...running,
    title: '发布前检查清单',
    ext: '.odp',
    about: ['software'],
    chapters: [3, 4],
    description: '发布会上逐条过一遍',
  },
  { ...running, title: '服务器巡检记录', ext: '.ods', about: 'inspection', description: '三台主机，一个月' },
  { ...running, title: '接口耗时统计', ext: '.csv', about: 'latency', description: '一周的请求数与耗时' },
  { ...building, title: '构建时间明细', ext: '.tsv', about: 'builds', description: '各步骤优化前后的对比' },
  {
    ...building,
    title: '工程与生活文集',
    ext: '.pdf',
    about: ['software', 'garden', 'walking', 'cooking', 'report', 'lesson'],
    description: '三十篇短文的合订本',
    price: 8,
    recommended: true,
  },
  { ...planting, title: '阳台种菜入门', ext: '.pdf', description: '从配土到留种，五章讲完', recommended: true },
  { ...planting, title: '阳台种菜入门（电子书）', ext: '.epub', description: '带目录的电子书' },
  {
    ...planting,
    title: '四季播种时间表',
    ext: '.xlsx',
    about: 'sowing',
    description: '八种常见蔬菜的播种与收获',
    recommended: true,
  },
  {
    ...planting,
    title: '病虫害识别手记',
    ext: '.doc',
    description: '早期迹象与不用药的办法',
    chapters: [3, 4],
    price: 2,
  },
  { ...planting, title: '种菜笔记', ext: '.umd', description: '老手机也能看' },
  { ...kitchen, title: '一家人的饺子', ext: '.docx', description: '面团、馅料、包法、火候和蘸料', recommended: true },
  { ...kitchen, title: '饺子的包法', ext: '.ppt', description: '三步讲清楚', chapters: [1, 2, 3] },
  { ...kitchen, title: '厨房采购清单', ext: '.xls', about: 'shopping', description: '六十个饺子要买什么' },
  { ...kitchen, title: '面点笔记', ext: '.txt', about: ['cooking'], description: '随手记下的要领' },
  { ...travel, title: '河岸步道指南', ext: '.pdf', description: '十四公里，从车站到山口', recommended: true },
  { ...travel, title: '河岸步道指南（电子书）', ext: '.epub', description: '带在路上看', price: 2 },
  { ...travel, title: '步道行前说明', ext: '.docx', description: '里程、补水与班车', chapters: [1, 5] },
  { ...travel, title: '徒步装备对照表', ext: '.csv', about: 'gear', description: '一日与三日各带什么' },
  {
    ...reports,
    title: '图书馆季度工作报告',
    ext: '.docx',
    description: '第三季度，含数据与分析',
    price: 5,
    recommended: true,
  },
  { ...reports, title: '图书馆季度工作报告（定稿）', ext: '.pdf', description: '对外公开的版本' },
  { ...reports, title: '馆务会议纪要', ext: '.wps', description: '问题与下一步计划', chapters: [4, 5] },
  { ...talks, title: '季度汇报演示', ext: '.pptx', about: ['report'], description: '五分钟版本', recommended: true },
  {
    ...talks,
    title: '阅读推广演示',
    ext: '.dps',
    about: ['report'],
    chapters: [1, 3, 5],
    description: '在社区活动上用',
  },
  { ...sheets, title: '到馆人次统计', ext: '.xlsx', about: 'visits', description: '一月至九月' },
  { ...sheets, title: '志愿者服务时长', ext: '.et', about: 'hours', description: '第三季度' },
]
