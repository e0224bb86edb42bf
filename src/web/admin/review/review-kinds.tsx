import type { ReactNode } from 'react'
import type { Comment } from '#shared/contract/comments.ts'
import { contract } from '#shared/contract/contract.ts'
import type { Contributor } from '#shared/contract/review.ts'
import { DocumentStatus, documentStatusLabels, publicStatuses } from '#shared/document-status.ts'
import type { Reply } from '#shared/endpoint.ts'
import { ContentType, ReviewStatus, reviewStatusLabels } from '#shared/enums.ts'
import { articleRejectReasons, commentRejectReasons, documentRejectReasons } from '#shared/review-reasons.ts'
import { ArticlePreview } from '#web/admin/review/article-preview.tsx'
import { CommentPreview } from '#web/admin/review/comment-preview.tsx'
import { type Decision, submittedAt } from '#web/admin/review/desk-state.ts'
import { ArticleFacts, CommentFacts, DocumentFacts } from '#web/admin/review/facts.tsx'
import { pageImage, PagePreview } from '#web/admin/review/page-preview.tsx'
import type { ReviewedContent } from '#web/admin/review/pending-counts.ts'
import { articlePath, documentPath } from '#web/domain/paths.ts'
import { api } from '#web/lib/api.ts'

/** What the desk shows of an item, whatever its kind. */
export interface ReviewItem {
  id: number
  /** Of a document: what is decided about. */
  attachmentId?: number
  title: string
  /** Its page on the site. */
  href: string
  isPending: boolean
  status: string
  preview: ReactNode
  facts: ReactNode
  contributor: Contributor
  /** When it was handed in. */
  since: number | null
  /** Loaded with the item, before it is shown. */
  images: readonly string[]
}

/** A kind of content that is reviewed. */
export interface ReviewKind {
  key: ReviewedContent
  label: string
  /** 份, 篇 or 条. */
  measure: string
  reasons: readonly string[]
  maxReasonLength: number
  loadItem: (id: number) => Promise<ReviewItem>
  decide: (item: ReviewItem, decision: Decision, reason: string) => Promise<unknown>
  /** Decides several items at once, without saying what the reviewer has seen of each. */
  decideAll: (ids: number[], decision: Decision, reason: string) => Promise<unknown>
  /** Back to pending. */
  undo: (id: number, decision: Decision) => Promise<unknown>
}

const documents: ReviewKind = {
  key: 'document',
  label: '文档',
  measure: '份',
  reasons: documentRejectReasons,
  maxReasonLength: 500,
  loadItem: async (id) => toDocumentItem(await api(contract.documents.reviewItem, { id })),
  decide: ({ id, attachmentId = 0 }, decision, reason) =>
    api(contract.documents.review, {
      id: [id],
      status: decision === 'approve' ? DocumentStatus.Pending : DocumentStatus.Rejected,
      reason,
      from: [DocumentStatus.InReview],
      attachment_id: [attachmentId],
    }),
  decideAll: (id, decision, reason) =>
    api(contract.documents.review, {
      id,
      status: decision === 'approve' ? DocumentStatus.Pending : DocumentStatus.Rejected,
      reason,
      from: [DocumentStatus.InReview],
    }),
  undo: (id, decision) =>
    api(contract.documents.review, {
      id: [id],
      status: DocumentStatus.InReview,
      from: decision === 'approve' ? [...publicStatuses] : [DocumentStatus.Rejected],
    }),
}

const outcomes = { approve: ReviewStatus.Approved, reject: ReviewStatus.Rejected } as const

const articles: ReviewKind = {
  key: 'article',
  label: '文章',
  measure: '篇',
  reasons: articleRejectReasons,
  maxReasonLength: 2048,
  loadItem: async (id) => toArticleItem(await api(contract.articles.reviewItem, { id })),
  decide: ({ id }, decision, reject_reason) =>
    api(contract.articles.review, {
      article_id: [id],
      status: outcomes[decision],
      reject_reason,
      from: [ReviewStatus.Pending],
    }),
  decideAll: (article_id, decision, reject_reason) =>
    api(contract.articles.review, {
      article_id,
      status: outcomes[decision],
      reject_reason,
      from: [ReviewStatus.Pending],
    }),
  undo: (id, decision) =>
    api(contract.articles.review, { article_id: [id], status: ReviewStatus.Pending, from: [outcomes[decision]] }),
}

const comments: ReviewKind = {
  key: 'comment',
  label: '评论',
  measure: '条',
  reasons: commentRejectReasons,
  maxReasonLength: 500,
  loadItem: async (id) => toCommentItem(await api(contract.comments.reviewItem, { id })),
  decide: ({ id }, decision, reason) =>
    api(contract.comments.review, { id: [id], status: outcomes[decision], reason, from: [ReviewStatus.Pending] }),
  decideAll: (id, decision, reason) =>
    api(contract.comments.review, { id, status: outcomes[decision], reason, from: [ReviewStatus.Pending] }),
  undo: (id, decision) =>
    api(contract.comments.review, { id: [id], status: ReviewStatus.Pending, from: [outcomes[decision]] }),
}

export const reviewKinds: Record<ReviewedContent, ReviewKind> = {
  document: documents,
  article: articles,
  comment: comments,
}

/** Pages that are loaded ahead of an item: what the screen shows first. */
const pagesAhead = 2

function toDocumentItem({
  document,
  duplicate,
  is_banned,
  contributor,
}: Reply<typeof contract.documents.reviewItem>): ReviewItem {
  const { id, title, status, preview, attachment } = document
  const first = Array.from({ length: Math.min(preview, pagesAhead) }, (_, index) => index + 1)
  return {
    id,
    attachmentId: attachment.id,
    title,
    href: documentPath(document),
    isPending: status === DocumentStatus.InReview,
    status: documentStatusLabels[status],
    preview: <PagePreview document={document} />,
    facts: <DocumentFacts document={document} duplicates={duplicate} isBanned={is_banned} />,
    contributor,
    since: submittedAt(document),
    images: first.map((page) => pageImage(attachment.hash, page)),
  }
}

function toArticleItem({ article, contributor }: Reply<typeof contract.articles.reviewItem>): ReviewItem {
  const { id, title, status } = article
  return {
    id,
    title,
    href: articlePath(article),
    isPending: status === ReviewStatus.Pending,
    status: reviewStatusLabels[status],
    preview: <ArticlePreview article={article} />,
    facts: <ArticleFacts article={article} />,
    contributor,
    since: submittedAt(article),
    images: [],
  }
}

const maxTitleLength = 20

function toCommentItem({ comment, thread, contributor }: Reply<typeof contract.comments.reviewItem>): ReviewItem {
  const { id, content, status } = comment
  return {
    id,
    title: content.length > maxTitleLength ? `${content.slice(0, maxTitleLength).toWellFormed()}…` : content,
    href: `${targetPath(comment)}#comment-${id}`,
    isPending: status === ReviewStatus.Pending,
    status: reviewStatusLabels[status],
    preview: <CommentPreview comment={comment} thread={thread} targetHref={targetPath(comment)} />,
    facts: <CommentFacts comment={comment} />,
    contributor,
    since: comment.created_at,
    images: [],
  }
}

function targetPath({ type, document_uuid }: Comment): string {
  return type === ContentType.Article
    ? articlePath({ identifier: document_uuid })
    : documentPath({ uuid: document_uuid })
}
