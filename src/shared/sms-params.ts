/** A variable of an sms template: `code`, `minutes`, or either under another name, `number=code`. */
export function parseTemplateParam(entry: string): { name: string; value: 'code' | 'minutes' } | undefined {
  const [, name, value] = /^(?:([\w\u4e00-\u9fff]{1,32})=)?(code|minutes)$/.exec(entry) ?? []
  if (value !== 'code' && value !== 'minutes') return undefined
  return { name: name ?? value, value }
}

export function findParamProblem(entries: readonly string[]): string | undefined {
  const wrong = entries.find((entry) => !parseTemplateParam(entry))
  if (wrong !== undefined) return `“${wrong}” 不对，只能是 code、minutes，或 变量名=code 这样的写法`
  return entries.some((entry) => parseTemplateParam(entry)?.value === 'code') ? undefined : '要有 code，即验证码'
}
