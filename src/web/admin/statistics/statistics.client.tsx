import { Flex } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { OrderType } from '#shared/enums.ts'
import { formatYuan } from '#shared/prices.ts'
import { TwoLines, UserLink } from '#web/admin/cells.tsx'
import { Funnel } from '#web/admin/statistics/funnel.tsx'
import { type Period, PeriodPicker, readPeriod } from '#web/admin/statistics/period-picker.tsx'
import {
  type Column,
  type Counted,
  formatCount,
  numberColumn,
  RankingChart,
  Section,
} from '#web/admin/statistics/section.tsx'
import styles from '#web/admin/statistics/statistics.module.css'
import { useCreditName } from '#web/domain/site.ts'
import { api } from '#web/lib/api.ts'
import { type QueryResult, useQuery } from '#web/lib/use-query.ts'

/** What a period brought: most read, best sold, the income, and how many of the visitors paid. */
export function Statistics() {
  const [params] = useSearchParams()
  const period = readPeriod(params)
  return (
    <Flex vertical gap={16}>
      <PeriodPicker />
      <MostRead period={period} />
      <BestSold period={period} />
      <IncomeByProduct period={period} />
      <IncomeByAuthor period={period} />
      <Funnel period={period} />
    </Flex>
  )
}

type Read = Reply<typeof contract.stats.reads>['document'][number]
type Product = Reply<typeof contract.stats.sales>['product'][number]
type Author = Reply<typeof contract.stats.authors>['author'][number]
type Sales = Pick<Product, 'sold' | 'taken_back' | 'money' | 'credits'>

const readKey = ({ document_id }: Read) => String(document_id)
const productKey = ({ order_type, product_id }: Product) => `${order_type} ${product_id}`
const authorKey = ({ order_type, user_id }: Author) => `${order_type} ${user_id}`
const titleOf = ({ title }: Read) => title

function MostRead({ period }: { period: Period }) {
  const query = useQuery(JSON.stringify(period), () => api(contract.stats.reads, period))
  return (
    <Section
      title="最多阅读"
      query={query}
      rows={({ document }) => document}
      rowKey={readKey}
      totals={({ total, reads, downloads, favorites }) => [
        ['读过的文档', formatCount(total)],
        ['阅读', formatCount(reads)],
        ['下载', formatCount(downloads)],
        ['收藏', formatCount(favorites)],
      ]}
      columns={[
        ...titleColumns('文档', titleOf),
        numberColumn<Read>('阅读', ({ reads }) => reads),
        numberColumn<Read>('下载', ({ downloads }) => downloads),
        numberColumn<Read>('收藏', ({ favorites }) => favorites),
      ]}
      note="同一读者半小时内重复打开只算一次，搜索引擎不算。每天的阅读数保留 400 天。最多列出 1000 份，合计包括全部。"
      empty="这段时间没有人阅读文档，可以换一段更长的时间"
    >
      {({ document }) => (
        <RankingChart
          title="阅读最多的 10 份"
          rows={document}
          rowKey={readKey}
          label={titleOf}
          value={({ reads }) => reads}
        />
      )}
    </Section>
  )
}

function BestSold({ period }: { period: Period }) {
  const query = useQuery(JSON.stringify(period), () => api(contract.stats.sales, { ...period, by: 'sold' }))
  const label = useProductLabel()
  return (
    <Section
      title="最畅销"
      query={query}
      rows={({ product }) => product}
      rowKey={productKey}
      totals={({ sold, taken_back }) => [
        ['卖出', formatCount(sold)],
        ['其中退款或撤回', formatCount(taken_back)],
      ]}
      columns={[
        ...titleColumns('商品', label),
        numberColumn<Product>('卖出', ({ sold }) => sold),
        numberColumn<Product>('退款或撤回', ({ taken_back }) => taken_back),
      ]}
      note="每个已支付的订单算一次，计入支付的那一天，包括用下载码换取的；后台充值、看广告所得和试运行不算。最多列出 1000 种，合计包括全部。"
      empty="这段时间没有卖出什么，可以换一段更长的时间"
    >
      {({ product }) => (
        <RankingChart
          title="卖出最多的 10 种"
          rows={product}
          rowKey={productKey}
          label={label}
          value={({ sold }) => sold}
        />
      )}
    </Section>
  )
}

function IncomeByProduct({ period }: { period: Period }) {
  const query = useQuery(JSON.stringify(period), () => api(contract.stats.sales, { ...period, by: 'income' }))
  const label = useProductLabel()
  return (
    <IncomeSection
      title="收入（按商品）"
      query={query}
      rows={({ product }) => product}
      rowKey={productKey}
      label={label}
      columns={titleColumns('商品', label)}
    />
  )
}

function IncomeByAuthor({ period }: { period: Period }) {
  const query = useQuery(JSON.stringify(period), () => api(contract.stats.authors, period))
  const credit = useCreditName()
  const label = ({ order_type, user_id, username }: Author) => {
    if (order_type !== OrderType.Document)
      return order_type === OrderType.Vip ? 'VIP（没有作者）' : `${credit}充值（没有作者）`
    return user_id === 0 ? '已彻底删除的文档' : username || `用户 ${user_id}`
  }
  const cell = (author: Author) =>
    author.user_id === 0 ? label(author) : <UserLink id={author.user_id} name={author.username} />
  return (
    <IncomeSection
      title="收入（按作者）"
      query={query}
      rows={({ author }) => author}
      rowKey={authorKey}
      label={label}
      columns={[{ title: '作者', text: label, cell }]}
    />
  )
}

interface IncomeSectionProps<Data extends Counted & Sales, Row extends Sales> {
  title: string
  query: QueryResult<Data>
  rows: (data: Data) => readonly Row[]
  rowKey: (row: Row) => string
  label: (row: Row) => string
  columns: readonly Column<Row>[]
}

/** Money and credits side by side, never added: most credits were bought with money before. */
function IncomeSection<Data extends Counted & Sales, Row extends Sales>(props: IncomeSectionProps<Data, Row>) {
  const { rows, rowKey, label, columns } = props
  const credit = useCreditName()
  const ranking = { rowKey, label }
  return (
    <Section
      {...props}
      totals={({ money, credits, sold }) => [
        ['金额', `¥${formatYuan(money)}`],
        [credit, formatCount(credits)],
        ['订单', formatCount(sold)],
      ]}
      columns={[
        ...columns,
        numberColumn<Row>('订单', ({ sold }) => sold),
        { title: '金额（元）', value: ({ money }) => money, text: ({ money }) => formatYuan(money) },
        numberColumn<Row>(credit, ({ credits }) => credits),
      ]}
      note={`计入支付的那一天，已减去退款：之后退的，从支付那天的收入里减。与订单管理按支付时间筛选的合计一致。用${credit}付的不折成金额，两者不能相加；下载码换取的没有收入，试运行不算。`}
      empty="这段时间没有收入，可以换一段更长的时间"
    >
      {(data) => (
        <>
          <RankingChart
            {...ranking}
            title="金额（元）"
            rows={rows(data)}
            value={({ money }) => money}
            text={formatYuan}
          />
          <RankingChart {...ranking} title={credit} rows={rows(data)} value={({ credits }) => credits} />
        </>
      )}
    </Section>
  )
}

interface Titled {
  href: string
  user_id: number
  username: string
}

/** The title with the author below it; in the file each has a column of its own. */
function titleColumns<Row extends Titled>(title: string, label: (row: Row) => string): Column<Row>[] {
  const author = ({ user_id, username }: Row) => username || (user_id > 0 ? `用户 ${user_id}` : '')
  const link = (row: Row): ReactNode =>
    row.href ? (
      <a href={row.href} target="_blank" rel="noreferrer">
        {label(row)}
      </a>
    ) : (
      label(row)
    )
  return [
    {
      title,
      text: label,
      cell: (row) => (
        <div className={styles.title}>
          <TwoLines primary={link(row)} secondary={author(row)} />
        </div>
      ),
    },
    { title: '作者', text: author, isInFileOnly: true },
  ]
}

/** The name of a document or a card; all amounts of credits are one product. */
function useProductLabel(): (product: Product) => string {
  const credit = useCreditName()
  return ({ order_type, title }) => (order_type === OrderType.TopUp ? `${credit}充值` : title)
}
