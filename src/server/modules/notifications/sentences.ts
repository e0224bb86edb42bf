import { creditName } from '#shared/credit-name.ts'
import {
  type PaymentMethod,
  type Punishment,
  punishmentLabels,
  type ReportOutcome,
  reportOutcomeLabels,
} from '#shared/enums.ts'
import { NotificationKind } from '#shared/notification-kinds.ts'
import { formatTime } from '#shared/format.ts'
import { givenBack } from '#shared/order-texts.ts'
import { plainLine } from '#shared/plain-text.ts'
import { formatYuan } from '#shared/prices.ts'
import type { Settings } from '#shared/settings.ts'
import type { NotificationParams } from './notifications.add.ts'

/** What a member may know of a notification at this moment. */
export interface Facts {
  settings: Pick<Settings, 'score'>
  kind: NotificationKind
  params: NotificationParams
  isArticle: boolean
  /** The document or article, if the member can see it. */
  target?: { title: string; href: string }
  /** Who did it last, how many members did it, and how often it happened. */
  actor: string
  actors: number
  events: number
  credits: number
  /** The latest comment. */
  comment: string
  /** The latest of what happened; a title is empty if the member cannot see it. */
  named: readonly { title: string; params: NotificationParams }[]
  /** What it is about was deleted or hidden: nothing is told of it. */
  isGone: boolean
  report?: { outcome: ReportOutcome; answer: string }
  order?: { order_no: string; product_name: string; payment_method: PaymentMethod | null }
  /** What is new, as far as the member can see it. */
  news?: News
  /** The category or collection. */
  place?: { title: string; href: string }
}

export interface News {
  documents: number
  articles: number
  /** Of the latest, with the page of the only one. */
  titles: readonly string[]
  href: string
}

interface Sentence {
  title: string
  excerpt: string
  href: string
  is_gone: boolean
}

const maxExcerpt = 140

/** A notification in words, without markup. */
export function describe(facts: Facts): Sentence {
  const { title, excerpt = '', href = '', is_gone = false } = sentences[facts.kind](facts)
  const line = plainLine(excerpt)
  const short = line.length > maxExcerpt ? `${line.slice(0, maxExcerpt - 1)}…` : line
  return { title, excerpt: short, href, is_gone }
}

type Describe = (facts: Facts) => Pick<Sentence, 'title'> & Partial<Sentence>

const gone = '（内容已删除或不可见）'

const sentences: Record<NotificationKind, Describe> = {
  [NotificationKind.Reply]: ({ isGone, target, comment, ...facts }) => {
    if (isGone || !target) return { title: `有人回复了您的评论${gone}`, is_gone: true }
    return { title: `${people(facts)}回复了您在《${target.title}》中的评论`, excerpt: comment, href: target.href }
  },
  [NotificationKind.Comment]: ({ isGone, target, comment, ...facts }) => {
    const what = facts.isArticle ? '文章' : '文档'
    if (isGone || !target) return { title: `有人评论了您的${what}${gone}`, is_gone: true }
    return { title: `${people(facts)}评论了您的${what}《${target.title}》`, excerpt: comment, href: target.href }
  },
  [NotificationKind.DocumentReview]: (facts) => reviewed(facts, '文档'),
  [NotificationKind.ArticleReview]: (facts) => reviewed(facts, '文章'),
  [NotificationKind.CommentReview]: ({ isGone, target, params, events }) => {
    const outcome = params.outcome === 'approved' ? '已通过审核' : '未通过审核'
    if (events > 1) return { title: `您的 ${events} 条评论${outcome}`, excerpt: reasonOf(params), href: target?.href }
    if (isGone || !target) return { title: `您的一条评论${outcome}${gone}`, is_gone: true }
    return { title: `您在《${target.title}》中的评论${outcome}`, excerpt: reasonOf(params), href: target.href }
  },
  [NotificationKind.Sale]: ({ isGone, target, events, credits, settings }) => {
    const income = `售出 ${events} 份，收入 ${credits} ${creditName(settings)}`
    if (isGone || !target) return { title: `您的一份文档${income}${gone}`, href: '/me/credit', is_gone: true }
    return { title: `您的文档《${target.title}》${income}`, href: target.href }
  },
  [NotificationKind.VipEnding]: ({ params }) => ({
    title: `您的 VIP 将于 ${formatTime(params.end ?? 0)} 到期`,
    excerpt: '现在续费，新的时间从到期那一刻接着算。',
    href: '/joinvip',
  }),
  [NotificationKind.ReportDecision]: ({ target, report, events }) => {
    const outcome = report ? `：${reportOutcomeLabels[report.outcome]}` : ''
    if (events > 1)
      return { title: `您的 ${events} 个举报已经处理${outcome}`, excerpt: report?.answer ?? '', href: '/me/report' }
    const title = `您举报的文档${target ? `《${target.title}》` : ''}已经处理${outcome}`
    return { title, excerpt: report?.answer ?? '', href: '/me/report' }
  },
  [NotificationKind.ConversionFailure]: ({ isGone, target, params, events, named }) => {
    if (events > 1)
      return {
        title: `您的 ${events} 份文档转换失败`,
        excerpt: titlesOf(named, events),
        href: '/me/document?status=failed',
      }
    if (isGone || !target) return { title: `您的一份文档转换失败${gone}`, is_gone: true }
    return {
      title: `您的文档《${target.title}》转换失败`,
      excerpt: [params.reason || '原因见文档页', '替换文件不占上传数量。'].join('。'),
      href: target.href,
    }
  },
  [NotificationKind.Order]: ({ params, order, settings }) => {
    const name = order ? `“${order.product_name}”` : ''
    const title = orderSentences[outcomeOf(params, order)]?.(params, creditName(settings))
    return {
      title: `您的订单${name}${title ?? '有了新的进展'}`,
      excerpt: reasonOf(params),
      href: order ? `/me/order/${order.order_no}` : '/me/order',
    }
  },
  [NotificationKind.Punishment]: ({ params, named }) => {
    const labels = named.map((one) => punishmentLabels[one.params.punishment as Punishment] ?? '限制使用')
    const what = [...new Set(labels)].join('、')
    const until = params.end ? `，${formatTime(params.end)} 解除` : ''
    return { title: `您已被${what}${until}`, excerpt: reasonOf(params) }
  },
  [NotificationKind.NewByAuthor]: (facts) => {
    const { what, titles, count, href } = newsOf(facts)
    if (count === 0) return { title: `您关注的作者发布了新内容${gone}`, is_gone: true }
    const page = `/user/${facts.params.target ?? 0}`
    return { title: `${facts.actor || '已注销用户'} 发布了${spaced(what)}`, excerpt: titles, href: href || page }
  },
  [NotificationKind.NewInCategory]: (facts) => {
    const { what, titles, count, href } = newsOf(facts)
    if (count === 0 || !facts.place) return { title: `您关注的分类有新内容${gone}`, is_gone: true }
    return { title: `分类“${facts.place.title}”新增了${spaced(what)}`, excerpt: titles, href: href || facts.place.href }
  },
  [NotificationKind.NewInCollection]: (facts) => {
    const { what, titles, count } = newsOf(facts)
    if (count === 0 || !facts.place) return { title: `您关注的文集有新内容${gone}`, is_gone: true }
    return { title: `文集《${facts.place.title}》新增了${spaced(what)}`, excerpt: titles, href: facts.place.href }
  },
  [NotificationKind.Answer]: ({ actor, params, target, order }) => ({
    title: `${actor || '已注销用户'} 有异议：${params.about ?? ''}`,
    excerpt: params.reason,
    href: target?.href ?? (order ? `/admin/order?wd=${order.order_no}` : '/admin/user/punishment'),
  }),
  [NotificationKind.CollectionReview]: ({ place, params, events }) => {
    const outcome = outcomes[params.outcome ?? ''] ?? '有了审核结果'
    if (events > 1)
      return { title: `您的 ${events} 个文集${outcome}`, excerpt: reasonOf(params), href: '/me/collections' }
    if (!place) return { title: `您的一个文集${outcome}${gone}`, is_gone: true }
    return { title: `您的文集《${place.title}》${outcome}`, excerpt: reasonOf(params), href: place.href }
  },
  [NotificationKind.Outlay]: ({ params, actor }) => {
    const worth = `合 ${formatYuan(params.money ?? 0)} 元`
    const title = {
      approved: `您的申请已经批准（${worth}），请到“大额审批”里办理`,
      refused: `您的申请没有批准（${worth}）`,
    }[params.outcome ?? '']
    return {
      title: title ?? `${actor || '已注销用户'} 申请超过限额的发放或退款，${worth}，等待批准`,
      excerpt: params.reason ?? '',
      href: '/admin/outlay',
    }
  },
}

/** For one, its title; for several, how many. */
function newsOf({ news }: Facts): { what: string; titles: string; count: number; href: string } {
  const { documents = 0, articles = 0, titles = [], href = '' } = news ?? {}
  const count = documents + articles
  const numbers = [documents > 0 && `${documents} 份文档`, articles > 0 && `${articles} 篇文章`].filter(Boolean)
  const one = `${articles > 0 ? '文章' : '文档'}《${titles[0] ?? ''}》`
  return {
    what: count === 1 ? one : numbers.join('、'),
    titles: count === 1 ? '' : titles.map((title) => `《${title}》`).join(''),
    count,
    href,
  }
}

/** Earlier versions told of a refund also where nothing had been paid. */
function outcomeOf({ outcome = '', money = 0 }: NotificationParams, order: Facts['order']): string {
  const isNothing = outcome === 'refunded' && money === 0 && givenBack(order?.payment_method ?? 0) === 'nothing'
  return isNothing && order?.payment_method ? 'withdrawn' : outcome
}

const orderSentences: Record<string, (params: NotificationParams, credits: string) => string> = {
  granted: () => '已确认到账，购买的内容已经生效',
  'claim-refused': () => '的付款没有得到确认，可以继续支付',
  refunded: ({ money = 0, credits = 0, way = '', ...params }, name) => {
    const back = money > 0 ? `已退款 ${formatYuan(money)} 元` : `已退回 ${credits} ${name}`
    return `${back}${refundWays[way] ?? ''}${joined(takenText(params, name))}`
  },
  withdrawn: (params, name) => `已撤回，您没有付款，不涉及退款${joined(takenText(params, name))}${codeText(params)}`,
  surplus: ({ money = 0 }) => `多收了 ${formatYuan(money)} 元，工作人员会退款或补发`,
}

const refundWays: Record<string, string> = {
  provider: '，原路退回',
  'by-hand': '，由工作人员另行退给您',
  balance: '到您的余额',
}

/** The words for what was withdrawn of the things granted. */
function takenText({ taken, taken_credits: count = 0 }: NotificationParams, name: string): string {
  if (taken === 'document') return '这份文档不再算作已购买'
  if (taken === 'card') return '这张 VIP 卡已经结束'
  if (taken === 'credits') return count > 0 ? `扣回 ${count} ${name}` : `余额里已经没有可以扣回的${name}`
  return ''
}

function codeText({ code = '' }: NotificationParams): string {
  const texts: Record<string, string> = {
    usable: '；下载码恢复为未使用，可以再次使用',
    unusable: '；下载码已经过期、作废或停用，不能再用',
    kept: '；换得的已经花掉一部分，下载码不能再用',
  }
  return texts[code] ?? ''
}

function joined(text: string): string {
  return text && `，${text}`
}

const outcomes: Record<string, string> = {
  approved: '已通过审核',
  rejected: '未通过审核',
  disabled: '已被停用',
  'file-approved': '的新文件已通过审核',
  'file-rejected': '的新文件未通过审核，仍使用原来的文件',
  'file-failed': '的新文件无法转换，仍使用原来的文件',
}

function reviewed({ isGone, target, params, events, named }: Facts, what: '文档' | '文章'): ReturnType<Describe> {
  const outcome = outcomes[params.outcome ?? ''] ?? '有了审核结果'
  if (events > 1) {
    const title = what === '文档' ? `您的 ${events} 份文档${outcome}` : `您的 ${events} 篇文章${outcome}`
    const excerpt = [reasonOf(params), titlesOf(named, events)].filter(Boolean).join('；')
    return { title, excerpt, href: what === '文档' ? '/me/document' : '/me/article' }
  }
  if (isGone || !target)
    return { title: `您的一${what === '文档' ? '份' : '篇'}${what}${outcome}${gone}`, is_gone: true }
  return { title: `您的${what}《${target.title}》${outcome}`, excerpt: reasonOf(params), href: target.href }
}

const refusals: ReadonlySet<string | undefined> = new Set(['rejected', 'disabled', 'file-rejected', 'claim-refused'])

function isRefusal({ outcome, punishment }: NotificationParams): boolean {
  return refusals.has(outcome) || punishment !== undefined
}

/** Members may answer what staff refused, disabled or forbade; each once. */
export function isAnswerable(params: NotificationParams): boolean {
  return isRefusal(params) && !params.is_answered
}

/** A space between Chinese and a number, none before a title. */
function spaced(what: string): string {
  return /^\d/.test(what) ? ` ${what}` : what
}

function titlesOf(named: Facts['named'], events: number): string {
  const titles = named.flatMap(({ title }) => (title ? [`《${title}》`] : []))
  return titles.length > 0 && events > titles.length ? `${titles.join('')}等` : titles.join('')
}

function reasonOf(params: NotificationParams): string {
  if (params.reason) return `原因：${params.reason}`
  return isRefusal(params) ? '管理人员没有写明原因，有异议可以提出。' : ''
}

function people({ actor, actors }: Pick<Facts, 'actor' | 'actors'>): string {
  const name = actor || '已注销用户'
  return actors > 1 ? `${name} 等 ${actors} 人` : `${name} `
}
