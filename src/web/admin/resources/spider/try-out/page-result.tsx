import { Alert, Tag, Typography } from 'antd'
import type { ReactNode } from 'react'
import { ContentType, contentTypeLabels } from '#shared/enums.ts'
import { formatTime } from '#shared/format.ts'
import { ExternalLink } from '#web/admin/cells.tsx'
import { CategoryNames } from '#web/admin/resources/spider/category-names.tsx'
import type { TriedPage, TriedRule, TryReply } from '#web/admin/resources/spider/try-out/try-out.ts'
import styles from '#web/admin/resources/spider/try-out/try-out.module.css'
import { durationText, failureText, statusText } from '#web/admin/resources/spider/words.ts'

interface PageResultProps {
  rule: TriedRule
  page: TriedPage
  number: number
}

/** What one page gave. */
export function PageResult({ rule, page: { url, reply }, number }: PageResultProps) {
  const facts = [statusText(reply.http_status), durationText(reply.duration_ms)]
  return (
    <article className={styles.page} aria-label={`第 ${number} 页`}>
      <header className={styles.pageHead}>
        <strong>第 {number} 页</strong>
        <Typography.Text type="secondary">{facts.filter(Boolean).join('，')}</Typography.Text>
        <span className={styles.address}>
          <ExternalLink href={url} />
        </span>
      </header>
      {reply.reason ? (
        <Alert type="warning" showIcon title={failureText(reply.reason)} description={reply.detail || undefined} />
      ) : (
        <FoundItems rule={rule} reply={reply} />
      )}
    </article>
  )
}

function FoundItems({ rule, reply }: { rule: TriedRule; reply: TryReply }) {
  const target = rule.target ?? ContentType.Document
  const unmatched = (part: TryReply['unmatched'][number]) =>
    reply.unmatched.includes(part) ? rule[`selector_${part}`] : undefined
  return (
    <>
      <dl className={styles.facts}>
        <Read label="标题" value={reply.title} unmatched={unmatched('title')} />
        <Read label="简介" value={reply.description} unmatched={unmatched('description')} />
        <Read label="关键字" value={reply.keywords} unmatched={unmatched('keywords')} />
        <Read label="日期" value={reply.dated_at ? formatTime(reply.dated_at) : ''} unmatched={unmatched('date')} />
        {target === ContentType.Article && <Read label="正文" value={reply.excerpt} />}
      </dl>
      {reply.document.length > 0 && (
        <Part title={`会采集的${contentTypeLabels[target]}（${reply.document.length}）`}>
          <Some of={reply.document}>
            {({ url, title, category_id }) => (
              <li key={url}>
                {title && <span>{title} </span>}
                {category_id.length > 0 && (
                  <Tag variant="filled">
                    <CategoryNames type={target} path={category_id} />
                  </Tag>
                )}
                <span className={styles.address}>
                  <ExternalLink href={url} />
                </span>
              </li>
            )}
          </Some>
        </Part>
      )}
      {reply.page.length > 0 && (
        <details className={styles.followed}>
          <summary>会继续读 {reply.page.length} 个页面</summary>
          <ul className={styles.list}>
            <Some of={reply.page}>
              {(url) => (
                <li key={url}>
                  <span className={styles.address}>
                    <ExternalLink href={url} />
                  </span>
                </li>
              )}
            </Some>
          </ul>
        </details>
      )}
      {reply.document.length + reply.page.length === 0 && (
        <Typography.Text type="secondary">这一页没有要采集的内容，也没有要继续读的页面。</Typography.Text>
      )}
      {reply.skipped > 0 && (
        <p className={styles.note}>按规则跳过了 {reply.skipped.toLocaleString('zh-CN')} 个链接。</p>
      )}
    </>
  )
}

/** A value, and the selector that was given for it and read nothing on this page. */
function Read({ label, value, unmatched }: { label: string; value: string; unmatched?: string | undefined }) {
  if (!value && !unmatched) return null
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {unmatched && (
          <Typography.Text type="danger" className={styles.unmatched}>
            没有符合选择器 <code>{unmatched}</code> 的内容{value && '，用了网页自己的'}
          </Typography.Text>
        )}
      </dd>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h4 className={styles.partTitle}>{title}</h4>
      <ul className={styles.list}>{children}</ul>
    </section>
  )
}

const maxShown = 20

function Some<T>({ of: items, children }: { of: readonly T[]; children: (item: T) => ReactNode }) {
  const left = items.length - maxShown
  return (
    <>
      {items.slice(0, maxShown).map(children)}
      {left > 0 && <li>还有 {left.toLocaleString('zh-CN')} 个</li>}
    </>
  )
}
