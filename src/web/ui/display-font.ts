/**
 * The characters of the heading font (src/web/fonts): the site's own headings, and words that are common in the names of
 * categories. A heading with any other character is set in the usual font as a whole, never in two fonts.
 */
const displayCharacters =
  '文豆找一份档，安静地读完。推荐阅最新按分类浏览精选章继续专题排行榜大家在人物作者上传全部搜索结果我的收藏集笔记书签历史登录注册欢迎回来更多架还空着连到天已热门关公告通知下载评论相本周今日月总近发布活跃常见问帮助教育技术生办学习考试计算机经济管理法律医健康艺设外语言小说工程合同模板表格演示报 0123456789'

const known = new Set(displayCharacters)

/** The class of a heading. */
export function displayFont(text: string): string {
  return Array.from(text).every((character) => known.has(character)) ? 'font-display' : ''
}
