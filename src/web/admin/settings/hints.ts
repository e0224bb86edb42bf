interface Hint {
  text: string
  link?: { page: string; label: string }
  /** After saving, instead of the usual message. */
  successMessage?: (values: Record<string, unknown>) => string | undefined
}

/** Explanations at the top of settings pages. */
export const hints: Record<string, Hint | undefined> = {
  email: {
    text: '启用邮件并填写“测试收件邮箱”后，每次保存都会发送一封测试邮件；发送失败时会说明原因。',
    link: { page: '/admin/user/mail', label: '查看邮件记录' },
    successMessage: ({ enable, test_email }) =>
      enable && typeof test_email === 'string' && test_email ? `设置已保存，测试邮件已发送到 ${test_email}` : undefined,
  },
  security: { text: '关闭网站后，只有管理人员可以登录和访问。' },
}
