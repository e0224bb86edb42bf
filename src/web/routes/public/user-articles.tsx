import { EmptyState } from '#web/ui/empty-state.tsx'

export default function UserArticles() {
  return <EmptyState title="还没有文章">这里会列出已公开的文章。</EmptyState>
}
