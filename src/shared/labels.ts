/** Labels of request keys, for error messages that name a field. */
const labels: Record<string, string> = {
  id: '编号',
  username: '用户名',
  password: '密码',
  old_password: '原密码',
  new_password: '新密码',
  email: '邮箱',
  mobile: '手机号',
  realname: '真实姓名',
  identity: '身份证号',
  address: '联系地址',
  signature: '个性签名',
  remark: '备注',
  captcha: '验证码',
  code: '邮箱验证码',
  group_id: '用户组',
  user_id: '用户',
  title: '名称',
  description: '说明',
  href: '链接',
  link: '网址',
  color: '颜色',
  sort: '排序',
  enable: '启用',
  position: '位置',
  content: '内容',
  type: '类型',
  reason: '原因',
  end_time: '结束时间',
  start_time: '开始时间',
  page: '页码',
  size: '每页数量',
  wd: '关键字',
  token: '重置链接',
}

export function getFieldLabel(field: string): string {
  const key = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? field
  return labels[key] ?? key
}
