import {
  BookOpen,
  Bookmark,
  Download,
  History,
  LibraryBig,
  type LucideIcon,
  Newspaper,
  NotebookPen,
  PenLine,
  Upload,
} from 'lucide-react'
import { Link } from 'react-router'
import { useInvitations } from '#web/domain/contributions.ts'
import { cx } from '#web/ui/class-names.ts'

export function QuickLinks() {
  const invited = useInvitations()
  const shown = links.filter(({ invitation }) => invitation === undefined || invited[invitation])
  return (
    <nav aria-label="快捷入口" className="rounded-lg border border-line bg-surface p-5">
      <h2 className="text-base">快捷入口</h2>
      <ul className={cx('mt-3 grid grid-cols-3 gap-1 text-center text-sm', linkClass)}>
        {shown.map(({ title, to, Icon }) => (
          <li key={to}>
            <Link discover="none" to={to}>
              <Icon size={20} aria-hidden />
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** On the list rather than on each item, which keeps the HTML small. */
const linkClass =
  '[&_a]:flex [&_a]:flex-col [&_a]:items-center [&_a]:gap-1.5 [&_a]:rounded-md [&_a]:py-3 [&_a]:hover:bg-sunken [&_a]:hover:text-accent [&_svg]:text-accent'

interface QuickLink {
  title: string
  to: string
  Icon: LucideIcon
  /** Shown to those who may do it. */
  invitation?: 'upload' | 'publish'
}

const links: readonly QuickLink[] = [
  { title: '上传文档', to: '/upload', Icon: Upload, invitation: 'upload' },
  { title: '发布文章', to: '/post', Icon: PenLine, invitation: 'publish' },
  { title: '全部文档', to: '/category', Icon: BookOpen },
  { title: '文章资讯', to: '/article', Icon: Newspaper },
  { title: '文集', to: '/collections', Icon: LibraryBig },
  { title: '阅读记录', to: '/me/history', Icon: History },
  { title: '我的笔记', to: '/me/notes', Icon: NotebookPen },
  { title: '我的收藏', to: '/me/favorite', Icon: Bookmark },
  { title: '我的下载', to: '/me/download', Icon: Download },
]
