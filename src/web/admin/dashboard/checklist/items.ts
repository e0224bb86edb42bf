import type { ChecklistKey } from '#shared/contract/checklist.ts'
import { contract } from '#shared/contract/contract.ts'
import type { Reply } from '#shared/endpoint.ts'
import { formatTime } from '#shared/format.ts'
import type { GroupName } from '#shared/settings.ts'
import { api } from '#web/lib/api.ts'

export type Checklist = Reply<typeof contract.checklist.get>

interface Link {
  label: string
  to: string
}

export interface ItemText {
  title: string
  /** One line: what it is good for, or how it is now. */
  why: (checklist: Checklist) => string
  /** Where it is done. */
  links: readonly Link[] | ((checklist: Checklist) => readonly Link[])
  /** Does it at once. */
  apply?: { label: string; run: (checklist: Checklist) => Promise<unknown> }
  /** The button of an owner who leaves it as it is. */
  settle: string
}

/** Leads to the field itself. */
function field(group: GroupName, name: string, label = '去设置'): Link {
  return { label, to: `/admin/config/${group}#${name}` }
}

const groupsPage = { label: '用户组', to: '/admin/user/group' }
const notNeeded = '不需要'
const keep = '保持现状'

export const itemTexts: Record<ChecklistKey, ItemText> = {
  payment: {
    title: '支付方式',
    why: ({ payment_problems }) => `打开了却用不了，买家看不到：${payment_problems.join('；')}。`,
    links: [{ label: '去设置', to: '/admin/config/pay' }],
    settle: notNeeded,
  },
  trial: {
    title: '试运行',
    why: ({ trial_orders, is_trial_on }) => {
      const orders = trial_orders === 0 ? '' : `，已有 ${trial_orders} 个没有收款的订单`
      return is_trial_on
        ? `试运行开着${orders}。正式收款前请关闭，并收回已发放的。`
        : `试运行已经关闭，还有 ${trial_orders} 个没有收款的订单，发放的没有收回。`
    },
    links: ({ trial_orders, is_trial_on }) => [
      ...(trial_orders === 0 ? [] : [{ label: '查看', to: '/admin/order?payment_type=11' }]),
      field('pay', 'test_mode', is_trial_on ? '去关闭' : '去收回'),
    ],
    settle: '先保留',
  },
  prices: {
    title: 'VIP 的价格',
    why: ({ price_questions }) => price_questions.join(''),
    links: [{ label: '去核对', to: '/admin/config/vip' }],
    settle: '就是这个价格',
  },
  givers: {
    title: '能动钱的用户组',
    why: ({ generous_groups }) =>
      `${generous_groups.map(({ title, powers }) => `“${title}”可以${powers.join('、')}`).join('；')}。新网站的这些组没有这样的权限，用不着就取消。`,
    links: [{ label: '去检查', to: groupsPage.to }],
    settle: keep,
  },
  name: {
    title: '网站名称',
    why: () => '标题、邮件和分享卡片里都用它，现在还是安装时的名字。',
    links: [field('system', 'sitename')],
    settle: notNeeded,
  },
  logo: {
    title: '网站标志',
    why: () => '显示在每一页的左上角，让人认得出您的网站。',
    links: [field('system', 'logo')],
    settle: notNeeded,
  },
  domain: {
    title: '网站域名',
    why: () => '订阅、网站地图、分享卡片和找回密码的邮件都要用到完整的网址。',
    links: [field('system', 'domain')],
    settle: notNeeded,
  },
  https: {
    title: 'HTTPS',
    why: () => '密码和登录状态只有经过加密的连接才安全，支付和通行密钥也要求它。装好证书后，把域名写成 https:// 开头。',
    links: [field('system', 'domain')],
    settle: notNeeded,
  },
  mail: {
    title: '邮件',
    why: () => '找回密码和验证邮箱靠它。填好后发一封测试邮件，发送成功才算完成。',
    links: [field('email', 'enable')],
    settle: notNeeded,
  },
  icp: {
    title: 'ICP 备案号',
    why: () => '在中国内地提供服务的网站要在页脚显示备案号。',
    links: [field('system', 'icp')],
    settle: notNeeded,
  },
  agreement: {
    title: '用户协议',
    why: () => '注册的人要同意它，现在还是通用的文字。改成您自己的约定，免责声明和联系我们也看一看。',
    links: ({ agreement_id }) => [
      agreement_id > 0
        ? { label: '去修改', to: `/admin/article/set?id=${agreement_id}` }
        : field('footer', 'agreement'),
    ],
    settle: '就用这一份',
  },
  time_zone: {
    title: '时区',
    why: ({ time_zone }) =>
      `每日的次数、统计和定时任务按 ${time_zone} 计算。不对时，用环境变量 TZ 设置（如 Asia/Shanghai）再重新启动。`,
    links: [],
    settle: '就是这个时区',
  },
  categories: {
    title: '文档分类',
    why: () => '上传的人要选分类，读者按分类找文档，先建几个大类。',
    links: [{ label: '去建分类', to: '/admin/document/category' }],
    settle: notNeeded,
  },
  members: {
    title: '谁可以注册、上传和发布',
    why: describeMembers,
    links: [field('security', 'enable_register', '注册设置'), groupsPage],
    settle: '就这样',
  },
  staff: {
    title: '帮手',
    why: () => '审核、编辑、客服不必都由您来做：把帮手加进现成的管理用户组，各有相应的权限。',
    links: [{ label: '去添加', to: '/admin/user/list' }, groupsPage],
    settle: '我自己管理',
  },
  second_factor: {
    title: '您的两步验证',
    why: () => '您的账号可以改动整个网站，只有密码不够。绑定验证器或通行密钥后，别人拿到密码也登录不了。',
    links: [{ label: '去开启', to: '/me/security' }, field('security', 'staff_second_factor', '也要求帮手开启')],
    settle: notNeeded,
  },
  secret_key: {
    title: '密钥的副本',
    why: ({ key_file }) =>
      `邮件密码和支付密钥用 ${key_file} 加密，它不在备份里。把它复制到另一台机器或密码管理器，丢了就要重新填写。`,
    links: [],
    settle: '已经复制好',
  },
  backup: {
    title: '备份',
    why: ({ last_backup_at }) =>
      last_backup_at === null
        ? '还没有备份过。在“备份设置”里做一份，再设为每天自动，并把文件复制到另一台机器。'
        : `上一次备份在 ${formatTime(last_backup_at)}，已超过 30 天。请检查自动备份，或再做一份。`,
    links: [field('backup', 'schedule', '去备份')],
    settle: '用别的方式备份',
  },
  document: {
    title: '第一份文档',
    why: () => '上传一份，看看转换、阅读和下载是不是都好用。',
    links: [{ label: '去上传', to: '/upload' }],
    settle: notNeeded,
  },
  offer_upload: {
    title: '让用户上传文档',
    why: ({ members }) => `“${members.group_title}”现在不能上传。启用后可以上传，审核通过才公开。`,
    links: [groupsPage],
    apply: { label: '启用', run: (list) => changeGroup(list, { enable_upload: true, enable_document_review: true }) },
    settle: keep,
  },
  offer_review: {
    title: '让用户发布文章，先审核',
    why: ({ members }) =>
      members.enable_article
        ? `“${members.group_title}”发布的文章现在直接公开。启用后，审核通过才公开。`
        : `“${members.group_title}”现在不能发布文章。启用后可以发布，审核通过才公开。`,
    links: [groupsPage],
    apply: { label: '启用', run: (list) => changeGroup(list, { enable_article: true, enable_article_approval: true }) },
    settle: keep,
  },
  offer_whole: {
    title: '免费文档全文阅读',
    why: () => '现在免费文档也只能读到预览为止。启用后免费文档可以读完，付费文档仍然只预览。',
    links: [field('converter', 'max_preview_free', '转换设置')],
    apply: { label: '启用', run: () => changeSetting('converter', 'max_preview_free', '0') },
    settle: keep,
  },
  offer_scroll: {
    title: '页面连续显示',
    why: () => '现在每读几页就要点“继续阅读”。启用后，页面随滚动连续显示。',
    links: [field('display', 'pages_per_read', '显示设置')],
    apply: { label: '启用', run: () => changeSetting('display', 'pages_per_read', '0') },
    settle: keep,
  },
  offer_groups: {
    title: '现成的管理用户组',
    why: ({ missing_groups }) => `${missing_groups.join('、')}，各有相应的权限，把帮手加进去就能用。`,
    links: [{ label: '去添加', to: groupsPage.to }],
    settle: notNeeded,
  },
}

export function isOffer(key: ChecklistKey): boolean {
  return key.startsWith('offer_')
}

function describeMembers({ members }: Checklist): string {
  const { group_title, enable_register, enable_upload, enable_document_review, enable_article } = members
  const upload = enable_upload ? `可以上传文档${enable_document_review ? '（先审核）' : ''}` : '不能上传文档'
  const publish = enable_article ? `可以发布文章${members.enable_article_approval ? '（先审核）' : ''}` : '不能发布文章'
  return `现在${enable_register ? '任何人都可以注册' : '不开放注册'}；“${group_title}”${upload}，${publish}。`
}

function changeSetting(category: string, name: string, value: string): Promise<unknown> {
  return api(contract.settings.update, { config: [{ category, name, value }] })
}

async function changeGroup(
  { members }: Checklist,
  change: Partial<Reply<typeof contract.groups.get>>,
): Promise<unknown> {
  const group = await api(contract.groups.get, { id: members.group_id })
  return api(contract.groups.update, { ...group, ...change })
}
