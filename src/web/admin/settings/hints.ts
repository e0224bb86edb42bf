interface Hint {
  text: string
  link?: { page: string; label: string }
}

/** Explanations at the top of settings pages. */
export const hints: Record<string, Hint | undefined> = {
  email: {
    text: '先填写，再点“发送测试邮件”：用填写的值发送，不需要先保存；发送失败时会说明原因。',
    link: { page: '/admin/user/mail', label: '查看邮件记录' },
  },
  mail_text: {
    text: '网站发出的每一种邮件。空行分段；花括号里的占位符在发送时换成实际的内容。',
    link: { page: '/admin/config/email', label: '设置发件服务器' },
  },
  security: { text: '关闭网站后，只有管理人员可以登录和访问。' },
}
