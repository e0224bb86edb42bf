import type { TopicName } from './prose.ts'

/** What the demonstration puts into a new site. */

export interface DemoDocument {
  title: string
  ext: string
  topic: TopicName
  /** A category's path, root first. */
  category: readonly [string, string]
  author: string
  price?: number
  /** Paragraphs in each of its chapters: how long it is. */
  length?: number
  language?: string
}

export const demoMembers = ['林晚舟', '周以宁', '何青禾', '许知行'] as const

export const demoCategories: Record<string, { description: string; children: readonly string[] }> = {
  教育: { description: '教案、习题和课堂笔记', children: ['小学', '中学', '大学'] },
  技术: { description: '编程、运维与工程实践', children: ['编程', '运维', '工程'] },
  生活: { description: '种植、烹饪和日常', children: ['园艺', '美食', '旅行'] },
  办公: { description: '报告、方案与表格', children: ['报告', '表格', '演示'] },
}

export const demoDocuments: readonly DemoDocument[] = [
  { title: '相遇问题教案', ext: '.docx', topic: 'lesson', category: ['教育', '小学'], author: '林晚舟', length: 4 },
  { title: '相遇问题课堂演示', ext: '.pptx', topic: 'lesson', category: ['教育', '小学'], author: '林晚舟' },
  { title: '四年级行程问题练习册', ext: '.pdf', topic: 'lesson', category: ['教育', '小学'], author: '林晚舟', length: 12, price: 3 },
  { title: '公开课听课记录', ext: '.odt', topic: 'lesson', category: ['教育', '中学'], author: '许知行', length: 3 },
  { title: '实验课说课稿', ext: '.rtf', topic: 'lesson', category: ['教育', '中学'], author: '许知行', length: 2 },
  { title: '课程论文写作提要', ext: '.txt', topic: 'lesson', category: ['教育', '大学'], author: '何青禾', length: 6 },
  { title: '班级成绩登记表', ext: '.xlsx', topic: 'lesson', category: ['教育', '中学'], author: '许知行' },
  { title: '写给同事的测试指南', ext: '.docx', topic: 'software', category: ['技术', '编程'], author: '周以宁', length: 10, price: 5 },
  { title: '测试指南（电子书）', ext: '.epub', topic: 'software', category: ['技术', '编程'], author: '周以宁', length: 20 },
  { title: '测试指南（手机版）', ext: '.mobi', topic: 'software', category: ['技术', '编程'], author: '周以宁', length: 8 },
  { title: '代码评审分享', ext: '.pptx', topic: 'software', category: ['技术', '编程'], author: '周以宁' },
  { title: '发布前检查清单', ext: '.odp', topic: 'software', category: ['技术', '运维'], author: '周以宁' },
  { title: '服务器巡检记录', ext: '.ods', topic: 'software', category: ['技术', '运维'], author: '周以宁' },
  { title: '接口耗时统计', ext: '.csv', topic: 'software', category: ['技术', '运维'], author: '周以宁' },
  { title: '构建时间明细', ext: '.tsv', topic: 'software', category: ['技术', '工程'], author: '周以宁' },
  { title: '工程实践手册', ext: '.pdf', topic: 'software', category: ['技术', '工程'], author: '周以宁', length: 40, price: 8 },
  { title: '阳台种菜入门', ext: '.pdf', topic: 'garden', category: ['生活', '园艺'], author: '何青禾', length: 8 },
  { title: '阳台种菜入门（电子书）', ext: '.epub', topic: 'garden', category: ['生活', '园艺'], author: '何青禾', length: 10 },
  { title: '四季播种时间表', ext: '.xlsx', topic: 'garden', category: ['生活', '园艺'], author: '何青禾' },
  { title: '病虫害识别手记', ext: '.doc', topic: 'garden', category: ['生活', '园艺'], author: '何青禾', length: 4, price: 2 },
  { title: '种菜笔记', ext: '.umd', topic: 'garden', category: ['生活', '园艺'], author: '何青禾', length: 5 },
  { title: '一家人的饺子', ext: '.docx', topic: 'cooking', category: ['生活', '美食'], author: '何青禾', length: 3 },
  { title: '饺子的包法图解', ext: '.ppt', topic: 'cooking', category: ['生活', '美食'], author: '何青禾' },
  { title: '厨房采购清单', ext: '.xls', topic: 'cooking', category: ['生活', '美食'], author: '何青禾' },
  { title: '面点笔记', ext: '.txt', topic: 'cooking', category: ['生活', '美食'], author: '何青禾', length: 10 },
  { title: '河岸步道指南', ext: '.pdf', topic: 'walking', category: ['生活', '旅行'], author: '许知行', length: 6 },
  { title: '河岸步道指南（电子书）', ext: '.epub', topic: 'walking', category: ['生活', '旅行'], author: '许知行', length: 12, price: 2 },
  { title: '三日徒步行程', ext: '.docx', topic: 'walking', category: ['生活', '旅行'], author: '许知行', length: 3 },
  { title: '徒步装备对照表', ext: '.csv', topic: 'walking', category: ['生活', '旅行'], author: '许知行' },
  { title: '图书馆季度工作报告', ext: '.docx', topic: 'report', category: ['办公', '报告'], author: '林晚舟', length: 8, price: 5 },
  { title: '图书馆季度工作报告（定稿）', ext: '.pdf', topic: 'report', category: ['办公', '报告'], author: '林晚舟', length: 8 },
  { title: '季度汇报演示', ext: '.pptx', topic: 'report', category: ['办公', '演示'], author: '林晚舟' },
  { title: '到馆人次统计', ext: '.xlsx', topic: 'report', category: ['办公', '表格'], author: '林晚舟' },
  { title: '志愿者服务时长', ext: '.et', topic: 'report', category: ['办公', '表格'], author: '林晚舟' },
  { title: '会议纪要', ext: '.wps', topic: 'report', category: ['办公', '报告'], author: '林晚舟', length: 2 },
  { title: '年度总结演示', ext: '.dps', topic: 'report', category: ['办公', '演示'], author: '林晚舟' },
]
