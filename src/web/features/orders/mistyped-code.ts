/** What to say about a code in which there is a mistake: known without asking the server. */
export function mistypedCode(typed: string): string {
  return typed.trim() === '' ? '请输入下载码' : '下载码输错了，请对照检查后重新输入'
}
