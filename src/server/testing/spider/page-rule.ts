import type { PageRule } from '../../modules/spider/extract/rule.ts'

/** The rule of a source for PDF and Word files at `www.example.com`, but for what a test says. */
export function pageRule({
  selectors,
  ...rule
}: Partial<Omit<PageRule, 'selectors'>> & { selectors?: Partial<PageRule['selectors']> } = {}): PageRule {
  return {
    target: 'document',
    follow: [],
    exclude: [],
    items: [],
    exts: ['.pdf', '.doc', '.docx'],
    hosts: ['www.example.com'],
    dropParams: [],
    ...rule,
    selectors: { title: '', description: '', keywords: '', date: '', next: '', content: '', ...selectors },
  }
}
