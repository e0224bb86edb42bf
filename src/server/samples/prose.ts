import type { Chapter } from './chapters.ts'

/** Real sentences for generated files, so that they can be searched and read. */
export const prose = [
  '文库是一群人共同积累知识的地方。有人把多年的讲义整理出来，有人把项目里的经验写成总结，后来的人因此少走许多弯路。',
  '一份好的文档，先要说明它为谁而写。读者是新人，就从背景讲起；读者是同行，就直接给出结论和依据，再附上可以复核的数据。',
  '档案室里的旧图纸经过扫描以后，终于可以在网上查阅。工程师们最常检索的是一九八七年大坝加固时留下的那批测量记录。',
  '春天来得很晚，直到四月中旬，山谷里的积雪才慢慢融化。学校把植树的日子推迟了一个星期，孩子们却更加盼望那一天。',
  '表格应当有清楚的标题和单位。数字如果来自估算，就在旁边写明估算的方法；如果来自统计，就写明统计的范围和时间。',
  '会议决定成立三个小组，分别负责资料收集、内容审核和版面设计。各组每周五下午交换进度，遇到分歧由总编辑裁定。',
  '图书馆的老馆员说，分类法不是把书关进抽屉，而是替每一位陌生的读者预先想好一条路，让他能走到自己要找的那一本。',
  '本报告的全部附件均可下载。引用时请注明出处，商业用途须事先取得作者书面同意，未经许可不得以任何方式转载。',
]

/** So many paragraphs, all different. */
export function paragraphs(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index + 1}．${prose[index % prose.length] ?? ''}`)
}

/** Chapters of a novel. */
export function sampleChapters(count: number): Chapter[] {
  return Array.from({ length: count }, (_, index) => ({
    title: `第${index + 1}章 山谷里的第${index + 1}个春天`,
    paragraphs: paragraphs(8),
  }))
}

/** Adds a number to the title, by which the heading is recognised in plain text. */
export function numberChapter(chapter: Chapter, index: number): Chapter {
  return { ...chapter, title: `第${index + 1}章 ${chapter.title}` }
}

export const prices = [
  ['品名', '数量', '单价（元）', '备注'],
  ['铅笔', '120', '1.5', '学生用'],
  ['笔记本', '48', '12.8', '硬面，横格'],
  ['订书机', '6', '35', ''],
  ['复印纸', '30', '22.5', 'A4，七十克'],
]
