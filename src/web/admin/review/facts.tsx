import { Alert, Descriptions, Tag } from 'antd'
import type { ReactNode } from 'react'
import type { Article } from '#shared/contract/articles.ts'
import type { Comment } from '#shared/contract/comments.ts'
import type { contract } from '#shared/contract/contract.ts'
import type { Document } from '#shared/contract/documents.ts'
import { documentKinds, getDocumentKind } from '#shared/document-kinds.ts'
import { DocumentStatus, documentStatusLabels } from '#shared/document-status.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatSize } from '#shared/format.ts'
import { Timestamp } from '#web/admin/cells.tsx'
import styles from '#web/admin/review/review.module.css'
import { documentPath } from '#web/domain/paths.ts'
import { EditCategory, EditPrice } from '#web/admin/review/edit-in-place.tsx'
import { useSite } from '#web/domain/site.ts'

type Duplicates = Reply<typeof contract.documents.reviewItem>['duplicate']

interface DocumentFactsProps {
  document: Document
  duplicates: Duplicates
  isBanned: boolean
}

export function DocumentFacts({ document, duplicates, isBanned }: DocumentFactsProps) {
  const { settings } = useSite()
  const { ext, size, pages, category, price, language, keywords, description, created_at } = document
  const languageName = settings.language.find(({ code }) => code === language)?.language ?? language
  return (
    <>
      {isBanned && (
        <Alert
          type="error"
          showIcon
          title="相同内容的附件已被停用"
          description="管理人员停用过它，内容相同的文件不能再上传。"
        />
      )}
      {duplicates.length > 0 && <DuplicateNotice duplicates={duplicates} />}
      <FactList
        facts={{
          类型: `${documentKinds[getDocumentKind(ext)].label}（${ext}）`,
          大小: formatSize(size),
          页数: pages > 0 && `${pages} 页`,
          分类: <EditCategory id={document.id} category={category} />,
          价格: <EditPrice id={document.id} price={price} />,
          语言: languageName,
          关键字: keywords,
          提交时间: <Timestamp at={created_at} />,
          简介: description && <span className={styles.description}>{description}</span>,
        }}
      />
    </>
  )
}

export function ArticleFacts({ article }: { article: Article }) {
  const { category, keywords, description, created_at, updated_at } = article
  return (
    <FactList
      facts={{
        分类: category.map(({ title }) => title).join(' / '),
        关键字: keywords,
        提交时间: <Timestamp at={created_at} />,
        修改时间: updated_at !== created_at && <Timestamp at={updated_at} />,
        简介: description && <span className={styles.description}>{description}</span>,
      }}
    />
  )
}

export function CommentFacts({ comment: { created_at, ip } }: { comment: Comment }) {
  return <FactList facts={{ 发表时间: <Timestamp at={created_at} />, 'IP 地址': ip }} />
}

/** Without those that are missing. */
function FactList({ facts }: { facts: Record<string, ReactNode> }) {
  const items = Object.entries(facts)
    .filter(([, value]) => value !== '' && value !== false)
    .map(([label, children]) => ({ key: label, label, children }))
  return <Descriptions size="small" column={1} items={items} className={styles.facts} />
}

const refused: ReadonlySet<DocumentStatus> = new Set([DocumentStatus.Rejected, DocumentStatus.Disabled])

function DuplicateNotice({ duplicates }: { duplicates: Duplicates }) {
  return (
    <Alert
      type="warning"
      showIcon
      title="已有内容完全相同的文档"
      description={
        <ul className={styles.duplicates}>
          {duplicates.map((duplicate) => (
            <li key={duplicate.id}>
              <a href={documentPath(duplicate)} target="_blank" rel="noreferrer">
                {duplicate.title}
              </a>
              {duplicate.username && <span> · {duplicate.username}</span>}{' '}
              <Tag variant="filled" color={refused.has(duplicate.status) ? 'volcano' : undefined}>
                {documentStatusLabels[duplicate.status]}
              </Tag>
              {duplicate.reason && <span>原因：{duplicate.reason}</span>}
            </li>
          ))}
        </ul>
      }
    />
  )
}
