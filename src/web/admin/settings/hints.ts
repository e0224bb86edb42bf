interface Hint {
  text: string
  /** Where one sees what became of it. */
  more?: { page: string; label: string }
  /** What is said after saving, where it is more than that. */
  saved?: (values: Record<string, unknown>) => string | undefined
}

/** What a settings screen has to explain beyond its fields. */
export const hints: Record<string, Hint | undefined> = {
  email: {
    text: '启用邮件并填写“测试收件邮箱”后，每次保存都会发送一封测试邮件；发送失败时会说明原因。',
    more: { page: '/admin/user/mail', label: '查看邮件记录' },
    saved: ({ enable, test_email }) =>
      enable && typeof test_email === 'string' && test_email ? `设置已保存，测试邮件已发送到 ${test_email}` : undefined,
  },
  security: { text: '关闭网站后，只有管理人员可以登录和访问。' },
}
