import { contract } from '#shared/contract/contract.ts'
import type { Contract } from '#shared/endpoint.ts'
import { RecommendAction } from '#shared/enums.ts'
import type { Target } from './audit.targets.ts'

/** How many names a sentence lists. */
const maxNames = 3
/** Verbs that begin the summary of an endpoint: done, they are followed by 了. */
const verbs =
  /^(?:代他人发布|批量修改|彻底删除|重新转换|重新发送|重新采集|重新统计|立即对账|提前结束|生成|修改|新增|删除|添加|复制|调整|恢复|清空|设置|更换|移交|撤回|作废|备注|确认|关闭|处理|通过|审核|推荐|取消|重建|试用|试采|发送|退款|增减|发布|下载|重试|采集|邀请|收回|查看)/

type Values = Record<string, unknown>

/** Acts that differ with what was sent, or whose summary does not say what was done. */
const acts: Record<string, ((input: Values) => string) | undefined> = {
  'documents.recommend': ({ type }) => (type === RecommendAction.Withdraw ? '取消推荐了文档' : '推荐了文档'),
  'articles.recommend': ({ is_recommend }) => (is_recommend ? '推荐了文章' : '取消推荐了文章'),
  'documents.setVip': ({ is_vip }) => (is_vip ? '标记了 VIP 文档：' : '取消了 VIP 文档：'),
  'documents.setVisibility': () => '修改了可见范围：',
  'documents.setCategory': () => '修改了文档的分类：',
  'documents.setPrice': () => '修改了文档的价格：',
  'users.trust': ({ is_trusted }) => (is_trusted ? '信任了作者，发布不用审核：' : '取消了对作者的信任：'),
  'documents.setLanguage': () => '修改了文档的语言：',
  'documents.setOwner': () => '更换了文档的上传者：',
  'documents.delete': () => '把文档移到了回收站：',
  'articles.delete': () => '把文章移到了回收站：',
  'articles.setCategory': () => '修改了文章的分类：',
  'articleVersions.restore': () => '恢复了文章的历史版本',
  'groups.patch': ({ is_display }) => (is_display ? '在用户资料中显示了用户组' : '在用户资料中隐藏了用户组'),
  'groups.setPermissions': () => '设置了用户组的权限：',
  'groups.addReadyMade': () => '添加了现成的用户组',
  'users.set': ({ password }) => (password ? '设置了用户组，并重设了密码：' : '设置了用户组：'),
  'users.password': () => '修改了密码：',
  'users.profile': () => '修改了用户的资料：',
  'users.handOver': () => '把网站移交给了',
  'invitations.create': () => '发出了邀请',
  'outlays.decide': ({ is_approved }) => (is_approved ? '批准了超过限额的申请' : '没有批准超过限额的申请，退回了'),
  'outlays.carryOut': () => '办理了已经批准的申请',
  'topics.patch': ({ enable }) => (enable ? '发布了专题' : '收回了专题'),
  'checklist.settle': ({ is_settled }) =>
    is_settled ? '把开站清单的一项标为不需要或就这样' : '重新打开了开站清单的一项',
  'checklist.dismiss': ({ dismissed }) => (dismissed ? '收起了开站清单' : '重新打开了开站清单'),
  'backups.create': () => '备份了整个网站',
  'backups.link': () => '取得了下载备份的链接：',
  'machine.sqlMode': () => '检查了数据库模式',
  'attachments.delete': () => '试着删除了附件：',
  'machine.checkRelease': () => '查了一次新版本',
  'machine.setReleaseSource': () => '修改了从哪里查新版本',
  'machine.ignoreRelease': () => '忽略了一个新版本',
  'orders.delete': () => '删除了订单',
  'orders.refuse': () => '没有收到款，拒绝了付款说明：',
  'orders.reconcile': () => '对了一次账',
  'orders.refund': () => '退了款：',
  'orders.systemTopUp': () => '充值了：',
  'orders.handleDifference': () => '把对账的差异记为了已处理',
  'credits.adjust': () => '增减了余额：',
  'vip.grant': () => '开通了 VIP：',
  'vip.end': () => '提前结束了 VIP 卡：',
  'documentShares.end': () => '使分享链接失效了：',
  'documentShares.create': () => '新建了分享链接：',
  'replacements.create': () => '替换了文档的文件：',
  'replacements.withdraw': () => '撤回了替换的文件：',
  'replacements.approve': () => '通过了替换的文件：',
  'replacements.reject': () => '不通过替换的文件：',
  'reports.reopen': () => '把举报改回了待处理：',
  'reports.handle': () => '处理了举报：',
  'reports.update': () => '处理了举报：',
  'searches.reindex': () => '开始了重建搜索索引',
  'sitemaps.check': () => '重新统计了站点地图',
  'spiderSources.start': () => '开始运行了采集源',
  'spiderSources.pause': () => '暂停了采集源',
  'spiderSources.stop': () => '结束了采集源的这一轮：',
  'privacy.identity': () => '查看了实名资料：',
}

/** The act in words of its own, or by the summary of its endpoint. Words that follow a mark there are for callers. */
export function toAct(area: string, action: string, input: Values = {}): string {
  const own = acts[`${area}.${action}`]?.(input)
  if (own !== undefined) return own
  const areas: Record<string, Contract | undefined> = contract
  const [words = ''] = (areas[area]?.[action]?.summary ?? '').split(/[：；，]/)
  return words.replace('启用或停用', input['enable'] ? '启用了' : '停用了').replace(verbs, '$&了')
}

/** Areas whose names are titles. */
const titled = /^(?:document|article|replacement|collection|topic|report|spiderDocument|announcement)/

/** An act and what it was done to: `通过了文档《…》`. */
export function toSentence(area: string, act: string, targets: readonly Target[], total = targets.length): string {
  const [open, close] = titled.test(area) ? ['《', '》'] : ['“', '”']
  const names = targets.flatMap(({ name }) => (name ? [`${open}${name}${close}`] : [])).slice(0, maxNames)
  if (names.length === 0) return act.replace(/：$/, '')
  return `${act}${names.join('、')}${total > names.length ? `等 ${total} 项` : ''}`
}
