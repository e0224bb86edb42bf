import { EmptyState } from '#web/ui/empty-state.tsx'

export default function UserDocuments() {
  return <EmptyState title="还没有文档">这里会列出已公开的文档。</EmptyState>
}
